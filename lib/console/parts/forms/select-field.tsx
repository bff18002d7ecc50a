import type { ComponentChildren, JSX } from 'preact';
import { Field } from '../field.tsx';

interface SelectFieldProps<T extends string> {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly value: T | undefined;
  /** The values to choose from, with their texts where they differ. */
  readonly options: readonly (T | readonly [value: T, text: string])[];
  readonly onChoose: (value: T) => void;
  /** Options after these. */
  readonly children?: ComponentChildren;
}

/** A field to choose one value of a list. */
export function SelectField<T extends string>({
  label,
  hint,
  value,
  options,
  onChoose,
  children,
}: SelectFieldProps<T>): JSX.Element {
  return (
    <Field label={label} hint={hint}>
      <select class="input" value={value} onChange={(event) => onChoose(event.currentTarget.value as T)}>
        {options.map((option) => {
          const [each, text] = typeof option === 'string' ? [option, option] : option;
          return (
            <option key={each} value={each}>
              {text}
            </option>
          );
        })}
        {children}
      </select>
    </Field>
  );
}
