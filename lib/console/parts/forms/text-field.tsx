import type { JSX } from 'preact';
import { Field } from '../field.tsx';

interface TextProps {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly problem?: string | undefined;
  readonly value?: string | number | undefined;
  readonly onInput: (value: string) => void;
  /** True for a text that programs read. Browsers then neither capitalize it nor check its spelling. */
  readonly isCode?: boolean;
  readonly required?: boolean;
  readonly maxLength?: number;
  readonly placeholder?: string | undefined;
  /** True for a text that can be read and copied, but not changed here. The hint says why. */
  readonly readOnly?: boolean;
}

interface TextFieldProps extends TextProps {
  readonly type?: 'text' | 'password' | 'email' | 'url' | 'number' | 'date' | 'datetime-local';
  /** Tells browsers how to fill the field in. Without it, they do not. */
  readonly autocomplete?: 'name' | 'username' | 'current-password' | 'new-password';
  readonly inputMode?: 'url';
  readonly pattern?: string;
  readonly autocapitalize?: 'none';
  readonly spellcheck?: boolean;
  readonly min?: number | string;
  readonly max?: number | string;
}

interface TextAreaProps extends TextProps {
  readonly rows: number;
  readonly onKeyDown?: (event: KeyboardEvent) => void;
}

const codeAttributes = { autocapitalize: 'none', spellcheck: false } as const;

/** A field for a line of text, or for a number or a time by its `type`. */
export function TextField({ label, hint, problem, onInput, isCode, ...attributes }: TextFieldProps): JSX.Element {
  return (
    <Field label={label} hint={hint} problem={problem}>
      <input
        class={isCode ? 'input mono' : 'input'}
        autocomplete="off"
        {...(isCode && codeAttributes)}
        {...(attributes as object)}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </Field>
  );
}

/** A field for several lines of text. */
export function TextArea({ label, hint, problem, onInput, isCode, ...attributes }: TextAreaProps): JSX.Element {
  return (
    <Field label={label} hint={hint} problem={problem}>
      <textarea
        class={isCode ? 'input mono' : 'input'}
        {...(isCode && codeAttributes)}
        {...(attributes as object)}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </Field>
  );
}
