import type { JSX } from 'preact';
import { Field } from '../field.tsx';
import { TextField } from './text-field.tsx';

interface Named {
  readonly name: string;
  readonly description: string;
}

interface NameFieldsProps {
  readonly value: Named;
  readonly nameMax: number;
  /** The most characters of a description; undefined if only the service limits it. */
  readonly descriptionMax?: number;
  readonly onChange: (change: Partial<Named>) => void;
  /** The reason why the name cannot be changed here. */
  readonly nameReason?: string | undefined;
}

/** The fields for the name and the description of a thing. */
export function NameFields({ value, nameMax, descriptionMax, onChange, nameReason }: NameFieldsProps): JSX.Element {
  return (
    <>
      <TextField
        label="Name"
        hint={nameReason}
        readOnly={nameReason !== undefined}
        maxLength={nameMax}
        required
        value={value.name}
        onInput={(name) => onChange({ name })}
      />
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
