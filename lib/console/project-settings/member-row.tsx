import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Role } from '../../people/roles/role-schema.ts';
import {
  getProjectAccess,
  removeGroupAccess,
  removeUserAccess,
  setRolesForGroup,
  setRolesForUser,
} from '../calls/projects.ts';
import { peek, reload } from '../data/cache.ts';
import { Button } from '../parts/button.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { useEdits } from '../parts/edits/use-edits.tsx';
import { Checks } from '../parts/forms/checks.tsx';
import { FormFoot } from '../parts/forms/form-foot.tsx';
import { Icon } from '../parts/icon.tsx';
import { Ago, Tag } from '../parts/small.tsx';
import { showMessage } from '../parts/toasts.tsx';
import { listMembers, type Member } from './members.ts';

interface MemberRowProps {
  readonly project: string;
  readonly member: Member;
  readonly roles: readonly Role[];
  /** The reason why the reader may not change members. */
  readonly reason: string | undefined;
}

const icons = { person: 'user', account: 'bot', group: 'users' } as const;

/** A member of a project, whose roles can be changed in place. */
export function MemberRow({ project, member, roles, reason }: MemberRowProps): JSX.Element {
  const [step, setStep] = useState<'edit' | 'remove'>();
  const { kind, id, name, more, addedAt } = member;
  return (
    <tr>
      <th scope="row">
        <Icon name={icons[kind]} size={14} />{' '}
        {kind === 'account' ? name : <a href={kind === 'person' ? `/people/${id}` : `/people/groups/${id}`}>{name}</a>}
        {more !== '' && <p>{more}</p>}
      </th>
      <td data-label="Roles">
        {step === 'edit' ? (
          <RolesForm project={project} member={member} roles={roles} onClose={() => setStep(undefined)} />
        ) : (
          <span>
            {member.roles.map((role) => (
              <Tag key={role}>{roles.find((each) => each.id === role)?.name ?? `Role ${role}`}</Tag>
            ))}
          </span>
        )}
      </td>
      <td data-label="Since">
        <Ago time={addedAt} />
      </td>
      <td class="actions">
        {step !== 'edit' && (
          <>
            <Button
              kind="quiet"
              aria-label={`Change the roles of ${name}`}
              reason={reason}
              onClick={() => setStep('edit')}
            >
              <Icon name="pencil" />
            </Button>
            <Button kind="quiet" aria-label={`Remove ${name}`} reason={reason} onClick={() => setStep('remove')}>
              <Icon name="trash" />
            </Button>
          </>
        )}
        {step === 'remove' && (
          <Confirm
            isDanger
            title={`Remove ${name} from the project?`}
            verb={`Remove ${kind === 'group' ? 'the group' : 'the member'}`}
            act={async () => {
              if (kind === 'group') await removeGroupAccess({ projectId: project, groupId: id });
              else await removeUserAccess({ projectId: project, userId: id });
              showMessage(`${name} is removed`);
              await reload(getProjectAccess({ projectId: project }));
            }}
            onClose={() => setStep(undefined)}
          >
            {kind === 'group' ? 'Its members lose what it gave them here.' : 'They lose their roles here.'} What they
            may do everywhere stays.
          </Confirm>
        )}
      </td>
    </tr>
  );
}

interface RolesFormProps extends Omit<MemberRowProps, 'reason'> {
  readonly onClose: () => void;
}

const toEdits = ({ roles }: Member) => ({ roles });

function RolesForm({ project, member, roles, onClose }: RolesFormProps): JSX.Element {
  const path = getProjectAccess({ projectId: project });
  const { draft, set, isBusy, problems, save, conflict } = useEdits({
    original: { value: toEdits(member), etag: peek(path).etag },
    send: ({ roles: chosen }, { etag }) => {
      const sending = { body: { roles: chosen }, ifMatch: etag };
      return member.kind === 'group'
        ? setRolesForGroup({ projectId: project, groupId: member.id }, sending)
        : setRolesForUser({ projectId: project, userId: member.id }, sending);
    },
    load: async () => {
      await reload(path);
      const { value, etag } = peek(path);
      const now = value && listMembers(value).find(({ kind, id }) => kind === member.kind && id === member.id);
      return now && { value: toEdits(now), etag };
    },
    onSaved: onClose,
  });
  return (
    <form class="form" aria-label={`Roles of ${member.name}`} onSubmit={save}>
      <Checks
        label={`Roles of ${member.name}`}
        choices={roles.map(({ id, name, description }) => [id, name, description])}
        chosen={draft.roles}
        onChange={(chosen) => set({ roles: chosen })}
      />
      <FormFoot
        verb="Save"
        problems={problems}
        isBusy={isBusy}
        isDisabled={draft.roles.length === 0}
        cancel={onClose}
      />
      {conflict}
    </form>
  );
}
