import '../parts/forms/form.css';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ShownProjectAccess } from '../../people/rights/project-access-schema.ts';
import { getBaseUsersAndGroups } from '../calls/people.ts';
import { addAccessToProject, getProjectAccess } from '../calls/projects.ts';
import { reload, useRead } from '../data/cache.ts';
import { useSending } from '../data/use-sending.ts';
import { Checks } from '../parts/forms/checks.tsx';
import { FormFoot } from '../parts/forms/form-foot.tsx';
import { showMessage } from '../parts/toasts.tsx';
import { PeoplePicker } from '../people/people-picker.tsx';
import { countOf } from '../words/numbers.ts';

interface AddMembersProps {
  readonly project: string;
  readonly access: ShownProjectAccess;
  readonly onClose: () => void;
}

/** The form that gives people and groups roles in a project. */
export function AddMembers({ project, access, onClose }: AddMembersProps): JSX.Element {
  const { value: everybody } = useRead(getBaseUsersAndGroups({}), 60_000);
  const { isBusy, problems, send } = useSending();
  const [users, setUsers] = useState<readonly number[]>([]);
  const [groups, setGroups] = useState<readonly number[]>([]);
  const member = access.roles.find(({ name }) => name === 'Member')?.id;
  const [roles, setRoles] = useState<readonly number[]>(member === undefined ? [] : [member]);
  const isIn = (list: readonly { readonly id: number }[], id: number) => list.some((each) => each.id === id);
  const otherPeople = (everybody?.users ?? []).filter(({ id }) => !isIn(access.users, id));
  const otherGroups = (everybody?.groups ?? []).filter(({ id }) => !isIn(access.groups, id));
  const count = users.length + groups.length;

  async function add(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const isAdded = await send(async () => {
      await addAccessToProject({ projectId: project }, { body: { roles, users, groups } });
      await reload(getProjectAccess({ projectId: project }));
    });
    if (!isAdded) return;
    showMessage(`${countOf(count, 'member')} added`);
    onClose();
  }

  return (
    <form class="card form form-card" aria-label="Add members" onSubmit={add}>
      <PeoplePicker label="People and service accounts" people={otherPeople} chosen={users} onChange={setUsers} />
      {otherGroups.length > 0 && (
        <Checks
          label="Groups"
          choices={otherGroups.map(({ id, name, userCount }) => [id, name, countOf(userCount, 'member')])}
          chosen={groups}
          onChange={setGroups}
        />
      )}
      <Checks
        label="Roles"
        choices={access.roles.map(({ id, name, description }) => [id, name, description])}
        chosen={roles}
        onChange={setRoles}
      />
      <FormFoot
        verb={count === 0 ? 'Add members' : `Add ${countOf(count, 'member')}`}
        problems={problems}
        isBusy={isBusy}
        isDisabled={count === 0 || roles.length === 0}
        cancel={onClose}
      />
    </form>
  );
}
