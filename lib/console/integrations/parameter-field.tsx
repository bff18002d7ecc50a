import type { JSX } from 'preact';
import type { AddonParameter } from '../../integrations/addon-schema.ts';
import { Field } from '../parts/field.tsx';
import { maskedSecret } from './integration-form.ts';

interface ParameterProps {
  readonly parameter: AddonParameter;
  readonly value: string;
  readonly problem: string | undefined;
  readonly onInput: (value: string) => void;
}

/** A field for a parameter as its provider defines it. A stored secret is never shown: it stays unless somebody types another one. */
export function ParameterField({ parameter, value, problem, onInput }: ParameterProps): JSX.Element {
  const { displayName, type, description = '', placeholder = '', required, sensitive } = parameter;
  const isStored = value === maskedSecret;
  const label = required ? displayName : `${displayName} (optional)`;
  const hint = isStored ? `${description} Stored; leave it as it is to keep it.` : description;
  const shared = {
    class: type === 'textfield' ? 'input mono' : 'input',
    placeholder: isStored ? 'Stored' : placeholder,
    autocomplete: 'off',
    spellcheck: false,
    value: isStored ? '' : value,
  } as const;
  // An emptied secret that is stored stays stored; it can only be replaced.
  const put = (text: string) => onInput(text === '' && isStored ? maskedSecret : text);
  return (
    <Field label={label} hint={hint} problem={problem}>
      {type === 'textfield' ? (
        <textarea {...shared} rows={4} onInput={(event) => put(event.currentTarget.value)} />
      ) : (
        <input
          {...shared}
          {...({ type: sensitive && type !== 'url' ? 'password' : 'text' } as { type: 'text' })}
          onInput={(event) => put(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}
