import type { JSX } from 'preact';
import { Field } from '../field.tsx';

interface Named {
  readonly name: string;
  readonly description: string;
}

interface NameFieldsProps {
  readonly value: Named;
  readonly nameMax: number;
  /** Undefined for descriptions of any length that the service accepts. */
  readonly descriptionMax?: number;
  readonly onChange: (change: Partial<Named>) => void;
}

/** The fields for the name and the description of a thing. */
export function NameFields({ value, nameMax, descriptionMax, onChange }: NameFieldsProps): JSX.Element {
  return (
    <>
      <Field label="Name">
        <input
          class="input"
          autocomplete="off"
          maxLength={nameMax}
          required
          value={value.name}
          onInput={(event) => onChange({ name: event.currentTarget.value })}
        />
      </Field>
      <Field label="Description">
        <textarea
          class="input"
          rows={2}
          {...(descriptionMax !== undefined && { maxLength: descriptionMax })}
          value={value.description}
          onInput={(event) => onChange({ description: event.currentTarget.value })}
        />
      </Field>
    </>
  );
}
