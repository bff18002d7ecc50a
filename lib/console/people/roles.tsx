import '../parts/forms/form.css';
import type { JSX } from 'preact';
import type { Role } from '../../people/roles/role-schema.ts';
import { getRoles } from '../calls/people.ts';
import { reload, useRead } from '../data/cache.ts';
import { Tag } from '../parts/small.tsx';
import { Problem, Skeleton } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { isCustomRole, isRootRole } from './role-kinds.ts';

/** The roles: those of the whole service, and those of projects. */
export function Roles(): JSX.Element {
  const path = getRoles({});
  const { value, problem } = useRead(path, 30_000);
  if (problem !== undefined) return <Problem problem={problem} onRetry={() => reload(path)} />;
  if (value === undefined) return <Skeleton rows={6} />;
  return (
    <>
      <RoleTable
        title="Everywhere"
        note="Everybody has one of these. It applies to the whole service."
        roles={value.roles.filter(isRootRole)}
      />
      <RoleTable
        title="In projects"
        note="People and groups get these in a project, besides what they may do everywhere."
        roles={value.roles.filter((role) => !isRootRole(role))}
      />
    </>
  );
}

interface RoleTableProps {
  readonly title: string;
  readonly note: string;
  readonly roles: readonly Role[];
}

function RoleTable({ title, note, roles }: RoleTableProps): JSX.Element {
  return (
    <section class="section" aria-label={title}>
      <div>
        <h2>{title}</h2>
        <p class="section-note">{note}</p>
      </div>
      <div class="card table-card">
        <Table columns={['Role', 'Kind']}>
          {roles.map((role) => (
            <tr key={role.id}>
              <th scope="row">
                <a href={`/people/roles/${role.id}`}>{role.name}</a>
                <p>{role.description}</p>
              </th>
              <td data-label="Kind">{isCustomRole(role) ? <Tag>Your own</Tag> : 'Built in'}</td>
            </tr>
          ))}
        </Table>
      </div>
    </section>
  );
}
