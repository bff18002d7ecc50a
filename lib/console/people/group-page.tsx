import '../parts/forms/form.css';
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { GroupInput, ShownGroup } from '../../people/groups/group-schema.ts';
import { go } from '../browser/router.ts';
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
import { loadVersioned } from '../data/load-versioned.ts';
import { Button } from '../parts/button.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Crumbs } from '../parts/crumbs.tsx';
import { useEdits } from '../parts/edits/use-edits.tsx';
import { FormFoot } from '../parts/forms/form-foot.tsx';
import { NameFields } from '../parts/forms/name-fields.tsx';
import { TextArea } from '../parts/forms/text-field.tsx';
import { Heading } from '../parts/heading.tsx';
import { Problem, Skeleton } from '../parts/states.tsx';
import { showMessage } from '../parts/toasts.tsx';
import { isAdmin, useStart } from '../reader/start.ts';
import { countOf } from '../words/numbers.ts';
import { splitLines } from '../words/split-lines.ts';
import { DirectoryNote } from './directory-note.tsx';
import { ManagedMembersField } from './managed-members-field.tsx';
import { PeoplePicker } from './people-picker.tsx';
import { RoleField } from './role-field.tsx';
import { isRootRole } from './role-kinds.ts';
import { managedReason, useIsManaged } from './use-directory.ts';

/** The page of a group; `new` is a group to create. */
export function GroupPage({ id }: { readonly id: string }): JSX.Element {
  const isNew = id === 'new';
  const path = isNew ? undefined : getGroup({ id });
  const { value, problem } = useRead(path, 60_000);
  const [isDeleting, setDeleting] = useState(false);
  const isManaged = useIsManaged(value);
  return (
    <main class="page">
      <Crumbs trail={[['Groups', '/people#groups']]} />
      <div class="page-head">
        <div class="grow">
          <Heading title={isNew ? 'New group' : (value?.name ?? 'Group')} />
          {isManaged && <DirectoryNote kind="group" />}
        </div>
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
          This removes the rights that it gives its {countOf(value.userCount, 'member')}
          {value.projects.length > 0 && <> in {value.projects.join(', ')}</>}. Their other rights stay.
          {isManaged && ' The directory may create the group again, without its roles.'}
        </Confirm>
      )}
    </main>
  );
}

/** A group while it is edited. */
interface GroupEdits {
  readonly name: string;
  readonly description: string;
  /** Groups at the identity provider, one a line. */
  readonly mappings: string;
  readonly rootRole: number | null;
  readonly members: readonly number[];
}

function toGroupEdits(group: ShownGroup | undefined): GroupEdits {
  return {
    name: group?.name ?? '',
    description: group?.description ?? '',
    mappings: (group?.mappingsSSO ?? []).join('\n'),
    rootRole: group?.rootRole ?? null,
    members: (group?.users ?? []).map(({ user }) => user.id),
  };
}

function toGroupInput({ name, description, mappings, rootRole, members }: GroupEdits): GroupInput {
  return {
    ...{ name: name.trim(), description: description.trim() || null, rootRole },
    mappingsSSO: splitLines(mappings),
    users: members.map((id) => ({ user: { id } })),
  };
}

function GroupForm({ group }: { readonly group: ShownGroup | undefined }): JSX.Element {
  const { value: start } = useStart();
  const isManaged = useIsManaged(group);
  const { value: everybody } = useRead(getBaseUsersAndGroups({}), 60_000);
  const { value: list } = useRead(getRoles({}), 60_000);
  const people = useMemo(() => everybody?.users.filter(({ accountType }) => accountType === 'User') ?? [], [everybody]);
  const path = group === undefined ? undefined : getGroup({ id: group.id });
  const { draft, set, isBusy, problems, save, notice, conflict } = useEdits({
    key: `draft group ${group?.id ?? 'new'}`,
    original: { value: toGroupEdits(group), etag: path && peek(path).etag },
    send: (edits, { etag }) => {
      const body = toGroupInput(edits);
      return group === undefined ? createGroup({}, { body }) : updateGroup({ id: group.id }, { body, ifMatch: etag });
    },
    load: async () => path && loadVersioned(path, toGroupEdits),
    onSaved: ({ name }) => {
      showMessage(`${name.trim()} is ${group === undefined ? 'created' : 'saved'}`);
      void Promise.all([reload(getGroups({})), reload(getAccessOverview({}))]);
      go('/people#groups');
    },
  });

  return (
    <form class="card form form-card" onSubmit={save}>
      {notice}
      <NameFields
        value={draft}
        nameMax={100}
        descriptionMax={1_000}
        onChange={set}
        nameReason={isManaged ? managedReason : undefined}
      />
      {isManaged ? (
        <ManagedMembersField
          members={group?.users ?? []}
          chosen={draft.members}
          onChange={(members) => set({ members })}
        />
      ) : (
        <PeoplePicker label="Members" people={people} chosen={draft.members} onChange={(members) => set({ members })} />
      )}
      <TextArea
        label="Groups at the identity provider"
        hint="One a line. People in one of them join this group when they sign in with single sign-on. A group that a directory sends under such a name becomes this group."
        isCode
        rows={2}
        value={draft.mappings}
        onInput={(mappings) => set({ mappings })}
      />
      <RoleField
        label="Role of all members, everywhere"
        roles={(list?.roles ?? []).filter(isRootRole)}
        value={draft.rootRole}
        onChange={(role) => set({ rootRole: role || null })}
        none="None besides their own"
      />
      <FormFoot
        verb={group === undefined ? 'Create the group' : 'Save'}
        problems={problems}
        isBusy={isBusy}
        isDisabled={everybody === undefined}
        reason={start === undefined || isAdmin(start) ? undefined : 'Only Admins may edit groups'}
        cancel="/people#groups"
      />
      {conflict}
    </form>
  );
}
