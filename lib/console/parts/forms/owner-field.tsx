import type { JSX } from 'preact';
import { useStart } from '../../reader/start.ts';
import { SelectField } from './select-field.tsx';

interface OwnerFieldProps {
  /** Null for all projects. */
  readonly project: string | null;
  readonly onChoose: (project: string | null) => void;
}

/** The field for the project to which a thing belongs, if only that may use it. */
export function OwnerField({ project, onChoose }: OwnerFieldProps): JSX.Element {
  const { value: start } = useStart();
  const projects = start?.projects.map(({ id, name }) => [id, name] as const) ?? [];
  return (
    <SelectField
      label="Who may use it"
      value={project ?? ''}
      options={[['', 'All projects'], ...projects]}
      onChoose={(chosen) => onChoose(chosen || null)}
    />
  );
}
