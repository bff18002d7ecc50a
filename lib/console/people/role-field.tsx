import type { JSX } from 'preact';
import type { Role } from '../../people/roles/role-schema.ts';
import { Field } from '../parts/field.tsx';

interface RoleFieldProps {
  readonly label: string;
  readonly roles: readonly Role[];
  readonly value: number | null;
  readonly onChange: (id: number) => void;
  /** The text of the option for no role; missing if a role is required. */
  readonly none?: string;
  readonly isDisabled?: boolean;
}

/** The choice of a role, with its description. */
export function RoleField({ label, roles, value, onChange, none, isDisabled = false }: RoleFieldProps): JSX.Element {
  const description = roles.find(({ id }) => id === value)?.description;
  return (
    <Field label={label} {...(description && { hint: description })}>
      <select
        class="input"
        value={value ?? ''}
        disabled={isDisabled}
        onChange={(event) => onChange(Number(event.currentTarget.value))}
      >
        {none !== undefined && <option value="">{none}</option>}
        {roles.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </Field>
  );
}
