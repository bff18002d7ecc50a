import '../parts/forms/form.css';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { go } from '../browser/router.ts';
import {
  createRole,
  deleteRole,
  getPermissions,
  getRoleById,
  getRoleProjectAccess,
  getRoles,
  type PermissionList,
  type RoleWithPermissions,
  updateRole,
} from '../calls/people.ts';
import { peek, reload, useRead } from '../data/cache.ts';
import { loadVersioned } from '../data/load-versioned.ts';
import { Button } from '../parts/button.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Crumbs } from '../parts/crumbs.tsx';
import { useEdits } from '../parts/edits/use-edits.tsx';
import { type ChoiceCard, ChoiceCards } from '../parts/forms/choice-cards.tsx';
import { FormFoot } from '../parts/forms/form-foot.tsx';
import { NameFields } from '../parts/forms/name-fields.tsx';
import { Heading } from '../parts/heading.tsx';
import { Problem, Skeleton } from '../parts/states.tsx';
import { showMessage } from '../parts/toasts.tsx';
import { isAdmin, useStart } from '../reader/start.ts';
import { countOf } from '../words/numbers.ts';
import { toRoleBody, toRoleEdits } from './role-draft.ts';
import { isCustomRole } from './role-kinds.ts';
import { RoleMatrix } from './role-matrix.tsx';

/** The page of a role; `new` is a role to create. */
export function RolePage({ id }: { readonly id: string }): JSX.Element {
  const isNew = id === 'new';
  const path = isNew ? undefined : getRoleById({ id });
  const { value: role, problem } = useRead(path, 60_000);
  const { value: list } = useRead(getPermissions({}), 60_000);
  const [isDeleting, setDeleting] = useState(false);
  const isLoaded = list !== undefined && (isNew || role !== undefined);
  return (
    <main class="page">
      <Crumbs trail={[['Roles', '/people#roles']]} />
      <div class="page-head">
        <Heading title={isNew ? 'New role' : (role?.name ?? 'Role')} />
        {role !== undefined && (
          <Button
            icon="trash"
            reason={isCustomRole(role) ? undefined : 'A built-in role stays'}
            onClick={() => setDeleting(true)}
          >
            Delete
          </Button>
        )}
      </div>
      {path !== undefined && problem !== undefined && <Problem problem={problem} onRetry={() => reload(path)} />}
      {!isLoaded && problem === undefined && <Skeleton rows={8} />}
      {isLoaded && <RoleForm role={role} list={list.permissions} />}
      {isDeleting && role !== undefined && (
        <Confirm
          isDanger
          title={`Delete the role ${role.name}?`}
          verb="Delete the role"
          act={async () => {
            await deleteRole({ id });
            showMessage(`${role.name} is deleted`);
            void reload(getRoles({}));
            go('/people#roles');
          }}
          onClose={() => setDeleting(false)}
        >
          Only a role that nobody has can be deleted.
        </Confirm>
      )}
    </main>
  );
}

type Kind = 'root-custom' | 'custom';

const kinds: readonly ChoiceCard<Kind>[] = [
  { value: 'custom', title: 'In projects', text: 'People and groups get it in a project.' },
  {
    value: 'root-custom',
    title: 'Everywhere',
    text: 'It applies to the whole service. Each person has one such role.',
  },
];

interface RoleFormProps {
  readonly role: RoleWithPermissions | undefined;
  readonly list: PermissionList;
}

function RoleForm({ role, list }: RoleFormProps): JSX.Element {
  const { value: start } = useStart();
  const path = role === undefined ? undefined : getRoleById({ id: role.id });
  const { draft, set, isBusy, problems, save, notice, conflict } = useEdits({
    key: `draft role ${role?.id ?? 'new'}`,
    original: { value: toRoleEdits(role), etag: path && peek(path).etag },
    send: (edits, { etag }) => {
      const body = toRoleBody(edits, list);
      return role === undefined ? createRole({}, { body }) : updateRole({ id: role.id }, { body, ifMatch: etag });
    },
    load: async () => path && loadVersioned(path, toRoleEdits),
    onSaved: ({ name }) => {
      showMessage(`${name.trim()} is ${role === undefined ? 'created' : 'saved'}`);
      void reload(getRoles({}));
      go('/people#roles');
    },
  });
  const isEverywhere = draft.type === 'root-custom';
  const isFixed = role !== undefined && !isCustomRole(role);
  const isAllowed = start === undefined || isAdmin(start);

  return (
    <form class="section" onSubmit={save}>
      {notice}
      {isFixed ? (
        <p class="section-note">{draft.description}</p>
      ) : (
        <div class="card form form-card">
          <NameFields value={draft} nameMax={100} descriptionMax={1_000} onChange={set} />
          {role === undefined && (
            <ChoiceCards
              label="Where does it apply?"
              cards={kinds}
              value={draft.type}
              onChoose={(type) => set({ type })}
            />
          )}
        </div>
      )}
      {role !== undefined && !isEverywhere && <GrantedIn id={role.id} />}
      {isFixed && role.permissions.some((permission) => permission.name === 'ADMIN') ? (
        <p class="section-note">People with this role may do everything.</p>
      ) : (
        <RoleMatrix
          list={list}
          draft={new Set(draft.permissions)}
          isEverywhere={isEverywhere}
          onChange={
            isFixed || !isAllowed ? undefined : (permissions) => set({ permissions: [...permissions].toSorted() })
          }
        />
      )}
      {!isFixed && (
        <FormFoot
          verb={role === undefined ? 'Create the role' : 'Save'}
          problems={problems}
          isBusy={isBusy}
          reason={isAllowed ? undefined : 'Only Admins may edit roles'}
          cancel="/people#roles"
        />
      )}
      {conflict}
    </form>
  );
}

function GrantedIn({ id }: { readonly id: number }): JSX.Element | null {
  const { value } = useRead(getRoleProjectAccess({ id }), 60_000);
  if (value === undefined) return null;
  if (value.projects.length === 0) return <p class="section-note">Nobody has it.</p>;
  return (
    <p class="section-note">
      Granted in{' '}
      {value.projects.map(({ project, userCount, serviceAccountCount, groupCount }, index) => (
        <span key={project}>
          {index > 0 && ', '}
          <a href={`/projects/${encodeURIComponent(project)}/settings#access`}>{project}</a> (
          {countOf(userCount + serviceAccountCount, 'person', 'people')}, {countOf(groupCount, 'group')})
        </span>
      ))}
      .
    </p>
  );
}
