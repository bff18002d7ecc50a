import * as v from 'valibot';
import type { Entity } from '../../entity/entity.ts';
import { invalid } from '../../errors.ts';
import { systemUser } from '../../events/actor.ts';
import { loadVersionedMembers } from '../../identity/accounts.ts';
import { mergeRights, requirePermission } from '../../identity/caller.ts';
import { type Group, groups } from '../../identity/groups.ts';
import { type Permission, permissionKindOf } from '../../identity/permission-table.ts';
import { customRolesFrom, rootRoles } from '../../identity/permissions.ts';
import { builtInRoleViews, customRoles, findProjectRoles, type RoleHolder } from '../../identity/roles.ts';
import { newUser, type ServiceAccount, serviceAccounts, type User, users } from '../../identity/users.ts';
import { deleteServiceAccount } from '../../people/administer-service-accounts.ts';
import { deleteGroup, updateGroup } from '../../people/groups/administer-groups.ts';
import { groupUpdate } from '../../people/groups/group-schema.ts';
import { setProjectRoles } from '../../people/rights/project-access.ts';
import { deleteRole } from '../../people/roles/administer-roles.ts';
import { roleUpdate } from '../../people/roles/role-schema.ts';
import { emailAddress, username } from '../../people/user-fields.ts';
import type { Request } from '../../request.ts';
import { linksEnded, loadRecord } from '../../sign-in/passwords/records.ts';
import { deleteUserWhoSignsIn } from '../../sign-in/users-who-sign-in.ts';
import { isJsonObject, type JsonObject, toList } from '../../values/json.ts';
import { id, object, text } from '../../values/primitives.ts';
import { entityKind } from './entity-kind.ts';
import { kindAtOnce, lenient, type MigrationStep, nameUnder, nullsMissing, type Remark, stepBy, time } from './plan.ts';
import type { KnownHere } from './world.ts';

const isBuiltIn = ({ type }: JsonObject) => type === 'root' || type === 'project';

/** Built-in roles have the same names everywhere, and mostly the same ids. */
export const builtInRoleKind = kindAtOnce('built-in roles', async ({ source: { lists }, world }) => {
  for (const { id: here, name, type } of builtInRoleViews) {
    const there = [...lists.roles, ...lists.rootRoles].find((role) => role.name === name && role.type === type);
    world.learn('role', typeof there?.id === 'number' ? there.id : here, here);
  }
  return { steps: [] };
});

export const roleKind = entityKind({
  title: 'roles',
  entity: customRoles,
  numbered: 'role',
  reservedIds: customRolesFrom,
  from: ({ lists }) => lists.roles.filter((role) => !isBuiltIn(role)),
  schema: nullsMissing(
    object({
      ...roleUpdate.entries,
      permissions: v.optional(v.array(object({ name: text, environment: lenient(text) })), () => []),
    }),
  ),
  find: ({ name }, all) => [...all.values()].find(({ value }) => value.name === name),
  make: ({ name, description, type = 'custom', permissions }, { at, id: here, before }) => {
    const known = permissions.filter((permission) => isKnown(permission, type));
    const distinct = new Map(
      known.map(({ name, environment }) => [
        `${name} ${environment ?? ''}`,
        { name: name as Permission, ...(environment && permissionKindOf(name) === 'environment' && { environment }) },
      ]),
    );
    const content = { name, description: description ?? '', type, permissions: [...distinct.values()] };
    return { id: here, createdAt: at, ...before, ...content };
  },
  gone: { list: 'roles', remove: (request, id: number) => deleteRole(request, systemUser, id) },
  remarkOf: ({ permissions, type = 'custom' }) => {
    const lost = permissions.filter((permission) => !isKnown(permission, type)).map(({ name }) => name);
    return lost.length === 0 ? undefined : `without what is not here: ${[...new Set(lost)].join(', ')}`;
  },
});

function isKnown({ name }: { readonly name: string }, type: string): boolean {
  const kind = permissionKindOf(name);
  return kind !== undefined && (type !== 'custom' || kind !== 'root');
}

/** @throws ApiError 400 where the role has not come over. */
function roleHere(world: KnownHere, there: number): number {
  const here = world.idOf('role', there);
  if (here === undefined) throw invalid(`Its role (id ${there}) is not here.`);
  return here;
}

const personEntries = {
  name: v.exactOptional(text),
  rootRole: v.optional(id, rootRoles.Viewer),
  createdAt: time,
  seenAt: time,
};

export const userKind = entityKind({
  title: 'users',
  entity: users,
  numbered: 'account',
  rivals: serviceAccounts as unknown as Entity<User, number>,
  from: ({ lists }) => lists.users,
  schema: nullsMissing(
    v.pipe(
      object({ ...personEntries, username: v.exactOptional(username), email: v.exactOptional(emailAddress) }),
      v.check((user) => (user.username ?? user.email) !== undefined, 'A user name or an e-mail address is required.'),
    ),
  ),
  nameOf: nameUnder('username', 'email'),
  gone: { list: 'users', remove: (request, id: number) => deleteUserWhoSignsIn(request, systemUser, id) },
  find: (entry, all) =>
    [...all.values()].find(({ value }) =>
      entry.username === undefined ? value.email === entry.email : value.username === entry.username,
    ),
  make: (
    { username: name, email, createdAt, seenAt, rootRole, ...entry },
    { at, id: here, before, isTheirs, migration },
  ) => ({
    ...newUser(here, name, createdAt ?? at),
    ...(seenAt && { seenAt }),
    ...before,
    ...entry,
    // Links to set a password go there, and whoever signs on with it gets the account.
    ...(email !== undefined && isTheirs && { email }),
    // Who administers this service goes on doing so.
    rootRole: before?.rootRole === rootRoles.Admin ? before.rootRole : roleHere(migration.world, rootRole),
  }),
  besides: async (request, { id: here, email }, before) =>
    before === undefined || before.email === email ? [] : linksEnded(here, await loadRecord(request, here)),
  remarkOf: ({ email }, before, after) => {
    const keeps = email !== undefined && after.email !== email ? ['was here before, and keeps its address'] : [];
    return [...keeps, ...newAdmin(before, after)].join('; ') || undefined;
  },
});

/** Says of an account or a group, of which a plan shows no more than some names, that it would administer this service. */
function newAdmin(before: RoleHolder | undefined, { rootRole }: RoleHolder): string[] {
  const isNew = rootRole === rootRoles.Admin && before?.rootRole !== rootRoles.Admin;
  return isNew ? ['may do everything here from then on'] : [];
}

export const serviceAccountKind = entityKind({
  title: 'service accounts',
  entity: serviceAccounts,
  numbered: 'account',
  rivals: users as unknown as Entity<ServiceAccount, number>,
  from: ({ lists }) => lists.serviceAccounts,
  schema: nullsMissing(object({ ...personEntries, username })),
  nameOf: nameUnder('username'),
  gone: { list: 'serviceAccounts', remove: (request, id: number) => deleteServiceAccount(request, systemUser, id) },
  find: (entry, all) => [...all.values()].find(({ value }) => value.username === entry.username),
  make: ({ username: name, createdAt, seenAt: _seenAt, rootRole, ...entry }, { at, id: here, before, migration }) => ({
    ...newUser(here, name, createdAt ?? at),
    accountType: 'Service Account' as const,
    ...before,
    ...entry,
    rootRole: roleHere(migration.world, rootRole),
  }),
  remarkOf: (_entry, before, after) => {
    const needs = before === undefined ? ['it needs new tokens: its own are not shown'] : [];
    return [...needs, ...newAdmin(before, after)].join('; ') || undefined;
  },
});

export const groupKind = entityKind({
  title: 'groups',
  entity: groups,
  numbered: 'group',
  from: ({ lists }) => lists.groups,
  schema: nullsMissing(
    object({ ...v.omit(groupUpdate, ['users']).entries, createdAt: time, createdBy: lenient(text) }),
  ),
  find: ({ name }, all) => [...all.values()].find(({ value }) => value.name === name),
  gone: { list: 'groups', remove: (request, id: number) => deleteGroup(request, systemUser, id) },
  make: (
    { name, description, mappingsSSO = [], rootRole, createdAt, createdBy },
    { at, id: here, before, migration },
  ): Group => {
    const empty: Group = {
      ...{ id: here, name, createdAt: createdAt ?? at, createdBy: createdBy ?? systemUser.name, mappingsSSO },
      ...{ projectRoles: [], members: [] },
    };
    const { description: _description, rootRole: _rootRole, ...kept } = before ?? empty;
    return {
      ...kept,
      name,
      mappingsSSO,
      ...(typeof description === 'string' && { description }),
      ...(typeof rootRole === 'number' && { rootRole: roleHere(migration.world, rootRole) }),
    };
  },
  remarkOf: (_entry, before, after) => newAdmin(before, after)[0],
});

/** Returns the ids here of the accounts that a list of a server names. */
function accountsIn(world: KnownHere, list: unknown, idOf: (member: JsonObject) => unknown): number[] {
  const ids = toList(list).filter(isJsonObject).map(idOf);
  return ids.flatMap((there) => (typeof there === 'number' ? (world.idOf('account', there) ?? []) : []));
}

export const membershipKind = kindAtOnce('members of groups', async ({ request, source: { lists }, world }) => {
  const stored = await groups.listVersioned(request);
  const known = world.withPlanned(
    'group',
    stored.map((each) => [each.value.id, each]),
  );
  const [steps, left, remarks]: [MigrationStep[], string[], Remark[]] = [[], [], []];
  for (const { id: there, users: list } of lists.groups) {
    const here = typeof there === 'number' ? world.idOf('group', there) : undefined;
    const group = here === undefined ? undefined : known.get(here)?.value;
    if (group === undefined || here === undefined) continue;
    const wanted = accountsIn(world, list, ({ user }) => (isJsonObject(user) ? user.id : undefined));
    const present = group.members.map(({ userId }) => userId);
    const all = [...new Set([...present, ...wanted])];
    const name = `${group.name} (${all.length})`;
    if (all.length > wanted.length) remarks.push({ name, reason: 'it keeps members whom it has here only' });
    if (all.length === present.length) {
      left.push(name);
      continue;
    }
    const users = all.map((each) => ({ user: { id: each } }));
    const run = (ours: Request) => updateGroup(ours, systemUser, here, { name: group.name, users });
    steps.push(stepBy(run, name));
  }
  return { steps, left, remarks };
});

/** The service itself, as one who may do everything. */
export const administrator = requirePermission(
  {
    ...systemUser,
    rights: mergeRights([{ permissions: [{ name: 'ADMIN' }], conditions: [] }]),
    may: () => true,
    belongsTo: () => true,
  },
  ['ADMIN'],
);

export const accessKind = kindAtOnce('roles in projects', async ({ request, source, world }) => {
  const { users: accounts, groups: all } = await loadVersionedMembers(request);
  const [steps, left, refused, remarks]: [MigrationStep[], string[], Remark[], Remark[]] = [[], [], [], []];
  for (const { id: project, access } of source.projects) {
    for (const [kind, numbered, stored] of [
      ['users', 'account', accounts],
      ['groups', 'group', all],
    ] as const) {
      const list = access?.[kind];
      const found = new Set<number>();
      for (const member of toList(list).filter(isJsonObject)) {
        const who = nameUnder('username', 'email', 'name')(member);
        const there = Array.isArray(member.roles) ? member.roles : [member.roleId];
        const roles = there.flatMap((role) => (typeof role === 'number' ? (world.idOf('role', role) ?? []) : []));
        const here = typeof member.id === 'number' ? world.idOf(numbered, member.id) : undefined;
        const name = `${who} in ${project}`;
        if (here === undefined || roles.length < there.length) {
          refused.push({ name, reason: here === undefined ? 'who has not come over' : 'a role that is not here' });
          continue;
        }
        found.add(here);
        const before = findProjectRoles(stored.get(here)?.value, project)?.roles ?? [];
        const isSame = roles.length === before.length && roles.every((role) => before.includes(role));
        if (isSame) left.push(name);
        else {
          const run = (ours: Request) => setProjectRoles(ours, administrator, project, kind, here, roles);
          steps.push(stepBy(run, name, before.length === 0 ? 'created' : 'changed'));
        }
      }
      for (const [id, { value }] of Array.isArray(list) ? stored : []) {
        if (found.has(id) || !findProjectRoles(value, project)?.roles.length) continue;
        const who = nameUnder('username', 'email', 'name')({ ...value });
        remarks.push({ name: `${who} in ${project}`, reason: 'has a role here only' });
      }
    }
  }
  return { steps, left, refused, remarks };
});
