import './role-matrix.css';
import type { JSX } from 'preact';
import type { PermissionList } from '../calls/people.ts';
import { groupPermissions } from '../words/permissions.ts';
import {
  hasPermission,
  listEnvironmentPermissions,
  listPermissionsFor,
  type RoleDraft,
  setPermission,
} from './role-draft.ts';

interface RoleMatrixProps {
  readonly list: PermissionList;
  readonly draft: RoleDraft;
  readonly isEverywhere: boolean;
  /** Undefined for a role that cannot be changed. */
  readonly onChange?: ((draft: RoleDraft) => void) | undefined;
}

/** The permissions of a role in words; those of environments have a column for each environment. */
export function RoleMatrix({ list, draft, isEverywhere, onChange }: RoleMatrixProps): JSX.Element {
  const ofEnvironments = listEnvironmentPermissions(list);
  const environments = list.environments.map(({ name }) => name);
  const box = (name: string, words: string, environment?: string) => {
    const isImplied = environment !== undefined && draft.has(name);
    const label = environment === undefined ? words : `${words} in ${environment}`;
    return (
      <label>
        <input
          type="checkbox"
          aria-label={label}
          checked={hasPermission(draft, name, environment)}
          disabled={onChange === undefined || isImplied}
          onChange={(event) => onChange?.(setPermission(draft, name, event.currentTarget.checked, environment))}
        />
      </label>
    );
  };
  return (
    <>
      {groupPermissions(listPermissionsFor(list, isEverywhere)).map(({ subject, permissions }) => {
        const hasColumns = permissions.some(({ name }) => ofEnvironments.has(name));
        return (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reached by keyboard
          <section key={subject} class="card role-matrix" aria-label={subject} tabIndex={0}>
            <table>
              <thead>
                <tr>
                  <th scope="col">{subject}</th>
                  <th scope="col">{hasColumns ? 'All' : 'May'}</th>
                  {hasColumns && environments.map((name) => <th key={name}>{name}</th>)}
                </tr>
              </thead>
              <tbody>
                {permissions.map(({ name, words }) => (
                  <tr key={name}>
                    <th scope="row">{words}</th>
                    <td>{box(name, words)}</td>
                    {hasColumns &&
                      environments.map((environment) => <td key={environment}>{box(name, words, environment)}</td>)}
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        );
      })}
    </>
  );
}
