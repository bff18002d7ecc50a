import '../parts/forms/form.css';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ShownGroup } from '../../people/groups/group-schema.ts';
import {
  createGroup,
  deleteGroup,
  getAccessOverview,
  getBaseUsersAndGroups,
  getGroup,
  getGroups,
  getRoles,
  updateGroup,
} from '../calls/people.ts';
import { peek, reload, useRead } from '../data/cache.ts';
import { isAdmin, useStart } from '../data/start.ts';
import { useSending } from '../data/use-sending.ts';
import { Button, ButtonLink } from '../parts/button.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Field } from '../parts/field.tsx';
import { FormProblems } from '../parts/form-problems.tsx';
import { Heading } from '../parts/heading.tsx';
import { Icon } from '../parts/icon.tsx';
import { Problem, Skeleton } from '../parts/states.tsx';
import { showMessage } from '../parts/toasts.tsx';
import { go } from '../shell/router.ts';
import { countOf } from '../words/numbers.ts';
import { splitLines } from '../words/split-lines.ts';
import { PeoplePicker } from './people-picker.tsx';
import { RoleField } from './role-field.tsx';
import { isRootRole } from './role-kinds.ts';

/** The page of a group; `new` is a group to create. */
export function GroupPage({ id }: { readonly id: string }): JSX.Element {
  const isNew = id === 'new';
  const path = isNew ? undefined : getGroup({ id });
  const { value, problem } = useRead(path, 60_000);
  const [isDeleting, setDeleting] = useState(false);
  return (
    <main class="page">
      <nav class="crumbs" aria-label="Place">
        <a href="/people#groups">Groups</a>
        <Icon name="chevron-right" size={14} />
      </nav>
      <div class="page-head">
        <Heading title={isNew ? 'New group' : (value?.name ?? 'Group')} />
        {value !== undefined && (
          <Button icon="trash" onClick={() => setDeleting(true)}>
            Delete
          </Button>
        )}
      </div>
      {path !== undefined && problem !== undefined && <Problem problem={problem} onRetry={() => reload(path)} />}
      {!isNew && value === undefined && problem === undefined && <Skeleton rows={6} />}
      {(isNew || value !== undefined) && <GroupForm group={value} />}
      {isDeleting && value !== undefined && (
        <Confirm
          isDanger
          title={`Delete the group ${value.name}?`}
          verb="Delete the group"
          act={async () => {
            await deleteGroup({ id });
            showMessage(`${value.name} is deleted`);
            void reload(getGroups({}));
            go('/people#groups');
          }}
          onClose={() => setDeleting(false)}
        >
          Its {countOf(value.userCount, 'member')} lose what it gave them
          {value.projects.length > 0 && <> in {value.projects.join(', ')}</>}. They keep what they have otherwise.
        </Confirm>
      )}
    </main>
  );
}

function GroupForm({ group }: { readonly group: ShownGroup | undefined }): JSX.Element {
  const { value: start } = useStart();
  const { value: everybody } = useRead(getBaseUsersAndGroups({}), 60_000);
  const { value: list } = useRead(getRoles({}), 60_000);
  const [version] = useState(() => (group === undefined ? undefined : peek(getGroup({ id: group.id })).etag));
  const { isBusy, problems, send } = useSending();
  const [name, setName] = useState(group?.name ?? '');
  const [description, setDescription] = useState(group?.description ?? '');
  const [mappings, setMappings] = useState((group?.mappingsSSO ?? []).join('\n'));
  const [rootRole, setRole] = useState(group?.rootRole ?? null);
  const [members, setMembers] = useState<readonly number[]>((group?.users ?? []).map(({ user }) => user.id));

  async function save(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const body = {
      ...{ name: name.trim(), description: description.trim() || null, rootRole },
      mappingsSSO: splitLines(mappings),
      users: members.map((id) => ({ user: { id } })),
    };
    const isSaved = await send(async () => {
      if (group === undefined) await createGroup({}, { body });
      else await updateGroup({ id: group.id }, { body, ifMatch: version });
    });
    if (!isSaved) return;
    showMessage(group === undefined ? `${body.name} is created` : `${body.name} is saved`);
    void Promise.all([
      reload(getGroups({})),
      reload(getAccessOverview({})),
      ...(group === undefined ? [] : [reload(getGroup({ id: group.id }))]),
    ]);
    go('/people#groups');
  }

  return (
    <form class="form" onSubmit={save}>
      <Field label="Name">
        <input
          class="input"
          autocomplete="off"
          maxLength={100}
          required
          value={name}
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </Field>
      <Field label="Description">
        <textarea
          class="input"
          rows={2}
          maxLength={1_000}
          value={description}
          onInput={(event) => setDescription(event.currentTarget.value)}
        />
      </Field>
      <PeoplePicker
        label="Members"
        people={(everybody?.users ?? []).filter(({ accountType }) => accountType === 'User')}
        chosen={members}
        onChange={setMembers}
      />
      <Field
        label="Groups at the identity provider"
        hint="One a line. Who is in one of them joins this group by signing in with single sign-on."
      >
        <textarea
          class="input mono"
          rows={2}
          spellcheck={false}
          value={mappings}
          onInput={(event) => setMappings(event.currentTarget.value)}
        />
      </Field>
      <RoleField
        label="Role of all members, everywhere"
        roles={(list?.roles ?? []).filter(isRootRole)}
        value={rootRole}
        onChange={(role) => setRole(role || null)}
        none="None besides their own"
      />
      <FormProblems problems={problems} />
      <div class="form-foot">
        <Button
          kind="solid"
          type="submit"
          isBusy={isBusy}
          isDisabled={everybody === undefined}
          reason={start === undefined || isAdmin(start) ? undefined : 'Only Admins may edit groups'}
        >
          {group === undefined ? 'Create the group' : 'Save'}
        </Button>
        <ButtonLink href="/people#groups">Cancel</ButtonLink>
      </div>
    </form>
  );
}
