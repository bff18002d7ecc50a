import '../parts/forms/form.css';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { getProjectAccess } from '../calls/projects.ts';
import { reload, useRead } from '../data/cache.ts';
import { Button } from '../parts/button.tsx';
import { Empty, Problem, Skeleton } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { mayIn, useStart } from '../reader/start.ts';
import { AddMembers } from './add-members.tsx';
import { MemberRow } from './member-row.tsx';
import { listMembers } from './members.ts';

/** The people and groups that have roles in a project. */
export function ProjectAccess({ project }: { readonly project: string }): JSX.Element {
  const path = getProjectAccess({ projectId: project });
  const { value, problem } = useRead(path, 60_000);
  const { value: start } = useStart();
  const [isAdding, setAdding] = useState(false);
  const mayEdit = ['UPDATE_PROJECT', 'PROJECT_USER_ACCESS_WRITE'].some((each) => mayIn(start, each, project));
  const reason = mayEdit ? undefined : 'You may not edit the members';
  const members = value === undefined ? [] : listMembers(value);
  const add = (
    <Button icon="user-plus" reason={reason} onClick={() => setAdding(true)}>
      Add members
    </Button>
  );
  return (
    <section class="section" aria-label="Members">
      <div class="section-head">
        <p class="section-note">What they may do here, besides what they may do everywhere.</p>
        {members.length > 0 && !isAdding && add}
      </div>
      {isAdding && value !== undefined && (
        <AddMembers project={project} access={value} onClose={() => setAdding(false)} />
      )}
      {problem !== undefined && <Problem problem={problem} onRetry={() => reload(path)} />}
      {value === undefined && problem === undefined && <Skeleton rows={4} />}
      {value !== undefined && members.length === 0 && !isAdding && (
        <div class="card">
          <Empty icon="users" title="It has no members" action={add}>
            Editors may change its flags all the same. Members get rights here alone.
          </Empty>
        </div>
      )}
      {value !== undefined && members.length > 0 && (
        <div class="card table-card">
          <Table columns={['Member', 'Roles', 'Since']} acts="Change">
            {members.map((member) => (
              <MemberRow
                key={`${member.kind} ${member.id}`}
                project={project}
                member={member}
                roles={value.roles}
                reason={reason}
              />
            ))}
          </Table>
        </div>
      )}
    </section>
  );
}
