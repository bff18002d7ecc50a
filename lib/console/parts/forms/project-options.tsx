import type { JSX } from 'preact';
import { useStart } from '../../reader/start.ts';

/** The options for all projects that the reader sees. */
export function ProjectOptions(): JSX.Element {
  const { value: start } = useStart();
  return (
    <>
      {start?.projects.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </>
  );
}
