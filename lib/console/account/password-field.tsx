import './password-field.css';
import type { JSX } from 'preact';
import { Field } from '../parts/field.tsx';
import { Icon } from '../parts/icon.tsx';
import { passwordRules } from './password-rules.ts';

interface PasswordFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (password: string) => void;
}

/** The field for a new password, with its rules, which are ticked while one types. */
export function PasswordField({ label, value, onInput }: PasswordFieldProps): JSX.Element {
  return (
    <div class="new-password">
      <Field label={label}>
        <input
          class="input"
          type="password"
          autocomplete="new-password"
          aria-describedby="password-rules"
          required
          value={value}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      </Field>
      <ul id="password-rules">
        {passwordRules.map(([words, isKept]) => (
          <li key={words} class={isKept(value) ? 'kept' : ''}>
            {isKept(value) ? <Icon name="check" size={14} label="Kept" /> : <i aria-hidden="true" />}
            {words}
          </li>
        ))}
      </ul>
    </div>
  );
}
