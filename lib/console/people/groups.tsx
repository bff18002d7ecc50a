import type { JSX } from 'preact';
import { getGroups } from '../calls/people.ts';
import { reload, useRead } from '../data/cache.ts';
import { ButtonLink } from '../parts/button.tsx';
import { Tag } from '../parts/small.tsx';
import { Empty, Problem, Skeleton } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';

/** The groups of people, with their projects and their groups at an identity provider. */
export function Groups(): JSX.Element {
  const path = getGroups({});
  const { value, problem } = useRead(path, 30_000);
  if (problem !== undefined) return <Problem problem={problem} onRetry={() => reload(path)} />;
  if (value === undefined) return <Skeleton rows={5} />;
  if (value.groups.length === 0) {
    return (
      <div class="card">
        <Empty
          icon="users"
          title="There is no group"
          action={
            <ButtonLink icon="plus" href="/people/groups/new">
              New group
            </ButtonLink>
          }
        >
          A group gets a role in a project once, for all its members.
        </Empty>
      </div>
    );
  }
  return (
    <div class="card table-card">
      <Table columns={['Group', 'Members', 'Projects', 'At the identity provider']}>
        {value.groups.map(({ id, name, description, userCount, projects, mappingsSSO, scimId }) => (
          <tr key={id}>
            <th scope="row">
              <a href={`/people/groups/${id}`}>{name}</a> {scimId !== null && <Tag>Directory</Tag>}
              {description && <p>{description}</p>}
            </th>
            <td data-label="Members">{userCount}</td>
            <td data-label="Projects">{projects.join(', ') || '–'}</td>
            <td data-label="At the provider">{mappingsSSO.join(', ') || '–'}</td>
          </tr>
        ))}
      </Table>
    </div>
  );
}
