import * as v from 'valibot';
import { invalid } from '../../errors.ts';
import { systemUser } from '../../events/actor.ts';
import { loadVersionedMembers } from '../../identity/accounts.ts';
import { mergeRights, requirePermission } from '../../identity/caller.ts';
import { type Group, groups } from '../../identity/groups.ts';
import { type Permission, permissionKindOf } from '../../identity/permission-table.ts';
import { customRolesFrom, rootRoles } from '../../identity/permissions.ts';
import { builtInRoleViews, customRoles, findProjectRoles, type RoleHolder } from '../../identity/roles.ts';
import { newUser, serviceAccounts, users } from '../../identity/users.ts';
import { deleteServiceAccount } from '../../people/administer-service-accounts.ts';
import { deleteGroup, updateGroup } from '../../people/groups/administer-groups.ts';
import { groupUpdate } from '../../people/groups/group-schema.ts';
import { setProjectRoles } from '../../people/rights/project-access.ts';
import { deleteRole } from '../../people/roles/administer-roles.ts';
import { roleUpdate } from '../../people/roles/role-schema.ts';
import { emailAddress, username } from '../../people/user-fields.ts';
import type { Request } from '../../request.ts';
import { buildLinkRemoval, loadRecord } from '../../sign-in/passwords/records.ts';
import { deleteUserWhoSignsIn } from '../../sign-in/users-who-sign-in.ts';
import { isJsonObject, type JsonObject, toList } from '../../values/json.ts';
import { id, object, text } from '../../values/primitives.ts';
import { entityKind } from './entity-kind.ts';
import { buildKind, buildRunStep, Decisions, type ServerKind, type ServerMigration } from './plan.ts';
import { ignoreInvalid, readName, time } from './server-values.ts';
import type { MigrationTarget } from './target.ts';

const isBuiltIn = ({ type }: JsonObject) => type === 'root' || type === 'project';

/** Built-in roles have the same names on all servers, and mostly the same ids. */
const builtInRoleKind = buildKind('built-in roles', async ({ source: { lists }, target }) => {
  for (const { id, name, type } of builtInRoleViews) {
    const sent = [...lists.roles, ...lists.rootRoles].find((role) => role.name === name && role.type === type);
    target.noteId('role', typeof sent?.id === 'number' ? sent.id : id, id);
  }
  return { steps: [] };
});

const roleKind = entityKind({
  entity: customRoles,
  reservedIds: customRolesFrom,
  list: 'roles',
  from: ({ lists }) => lists.roles.filter((role) => !isBuiltIn(role)),
  schema: object({
    ...roleUpdate.entries,
    permissions: v.optional(v.array(object({ name: text, environment: ignoreInvalid(text) })), () => []),
  }),
  make: ({ name, description, type = 'custom', permissions }, { at, id, before }) => {
    const distinct = new Map(
      permissions
        .filter((permission) => isKnown(permission, type))
        .map(({ name, environment }) => [
          `${name} ${environment ?? ''}`,
          { name: name as Permission, ...(environment && permissionKindOf(name) === 'environment' && { environment }) },
        ]),
    );
    const content = { name, description: description ?? '', type, permissions: [...distinct.values()] };
    return { id, createdAt: at, ...before, ...content };
  },
  remove: (request, id: number) => deleteRole(request, systemUser, id),
  remarkOf: ({ permissions, type = 'custom' }) => {
    const lost = permissions.filter((permission) => !isKnown(permission, type)).map(({ name }) => name);
    return lost.length === 0 ? undefined : `without what is not here: ${[...new Set(lost)].join(', ')}`;
  },
});

function isKnown({ name }: { readonly name: string }, type: string): boolean {
  const kind = permissionKindOf(name);
  return kind !== undefined && (type !== 'custom' || kind !== 'root');
}

/** Returns the id that a role of the server has here. @throws ApiError 400 for a role that is not here. */
function roleIdOf({ target }: ServerMigration, sourceId: number): number {
  const id = target.idOf('role', sourceId);
  if (id === undefined) throw invalid(`Its role (id ${sourceId}) is not here.`);
  return id;
}

const personEntries = {
  name: v.exactOptional(text),
  rootRole: v.optional(id, rootRoles.Viewer),
  createdAt: time,
  seenAt: time,
};

const userKind = entityKind({
  entity: users,
  rivals: serviceAccounts,
  list: 'users',
  schema: v.pipe(
    object({ ...personEntries, username: v.exactOptional(username), email: v.exactOptional(emailAddress) }),
    v.check((user) => (user.username ?? user.email) !== undefined, 'A user name or an e-mail address is required.'),
  ),
  nameOf: readName('username', 'email'),
  remove: (request, id: number) => deleteUserWhoSignsIn(request, systemUser, id),
  find: ({ username, email }, stored) =>
    [...stored.values()].find(({ value }) =>
      username === undefined ? value.email === email : value.username === username,
    ),
  make: (
    { username: name, email, createdAt, seenAt, rootRole, ...entry },
    { at, id, before, isImported, migration },
  ) => ({
    ...newUser(id, name, createdAt ?? at),
    ...(seenAt && { seenAt }),
    ...before,
    ...entry,
    // An account that was here before keeps its address: its owner signs in and gets password links by it.
    ...(email !== undefined && isImported && { email }),
    // An Admin of this service stays one.
    rootRole: before?.rootRole === rootRoles.Admin ? before.rootRole : roleIdOf(migration, rootRole),
  }),
  buildExtraWrites: async (request, { id, email }, before) =>
    before === undefined || before.email === email ? [] : buildLinkRemoval(id, await loadRecord(request, id)),
  remarkOf: ({ email }, before, after) => {
    const addressRemarks =
      email !== undefined && after.email !== email ? ['was here before, and keeps its address'] : [];
    return [...addressRemarks, ...adminRemarks(before, after)].join('; ') || undefined;
  },
});

/** Returns the remark that an account or a group becomes an Admin, since a plan shows only some names. */
function adminRemarks(before: RoleHolder | undefined, { rootRole }: RoleHolder): string[] {
  const isNew = rootRole === rootRoles.Admin && before?.rootRole !== rootRoles.Admin;
  return isNew ? ['may do everything here from then on'] : [];
}

const serviceAccountKind = entityKind({
  entity: serviceAccounts,
  rivals: users,
  list: 'serviceAccounts',
  schema: object({ ...personEntries, username }),
  nameOf: readName('username'),
  remove: (request, id: number) => deleteServiceAccount(request, systemUser, id),
  make: ({ username: name, createdAt, seenAt: _seenAt, rootRole, ...entry }, { at, id, before, migration }) => ({
    ...newUser(id, name, createdAt ?? at),
    accountType: 'Service Account' as const,
    ...before,
    ...entry,
    rootRole: roleIdOf(migration, rootRole),
  }),
  remarkOf: (_entry, before, after) => {
    const tokenRemarks = before === undefined ? ['it needs new tokens: its own are not shown'] : [];
    return [...tokenRemarks, ...adminRemarks(before, after)].join('; ') || undefined;
  },
});

const groupKind = entityKind({
  entity: groups,
  list: 'groups',
  schema: object({
    ...v.omit(groupUpdate, ['users']).entries,
    ...{ createdAt: time, createdBy: ignoreInvalid(text), scimId: ignoreInvalid(text) },
  }),
  remove: (request, id: number) => deleteGroup(request, systemUser, id),
  make: (
    { name, description, mappingsSSO: mappings = [], rootRole, createdAt, createdBy, scimId },
    { at, id, before, migration },
  ): Group => {
    // The directory that has filled the group there may fill it here, too, although it has roles.
    const mappingsSSO = scimId === undefined ? mappings : [...new Set([...mappings, name])];
    const empty: Group = {
      ...{ id, name, createdAt: createdAt ?? at, createdBy: createdBy ?? systemUser.name, mappingsSSO },
      ...{ projectRoles: [], members: [] },
    };
    const { description: _description, rootRole: _rootRole, ...kept } = before ?? empty;
    return {
      ...kept,
      name,
      mappingsSSO,
      ...(typeof description === 'string' && { description }),
      ...(typeof rootRole === 'number' && { rootRole: roleIdOf(migration, rootRole) }),
    };
  },
  remarkOf: (_entry, before, after) => adminRemarks(before, after)[0],
});

/** Returns the ids here of the accounts that a list of a server names. */
function accountIdsIn(target: MigrationTarget, list: unknown, idOf: (member: JsonObject) => unknown): number[] {
  const sourceIds = toList(list).filter(isJsonObject).map(idOf);
  return sourceIds.flatMap((id) => (typeof id === 'number' ? (target.idOf('user', id) ?? []) : []));
}

const membershipKind = buildKind('members of groups', async ({ request, source: { lists }, target }) => {
  const stored = (await groups.listVersioned(request)).map((group) => [group.value.id, group] as const);
  const groupsById = target.withPlanned('group', stored);
  const decisions = new Decisions();
  for (const { id: sourceId, users: list } of lists.groups) {
    const id = typeof sourceId === 'number' ? target.idOf('group', sourceId) : undefined;
    const group = id === undefined ? undefined : groupsById.get(id)?.value;
    if (group === undefined) continue;
    const wanted = accountIdsIn(target, list, ({ user }) => (isJsonObject(user) ? user.id : undefined));
    const present = group.members.map(({ userId }) => userId);
    const all = [...new Set([...present, ...wanted])];
    const name = `${group.name} (${all.length})`;
    if (all.length > wanted.length) {
      decisions.remarks.push({ name, reason: 'it keeps members whom it has here only' });
    }
    if (all.length === present.length) {
      decisions.unchanged.push(name);
      continue;
    }
    const update = { name: group.name, users: all.map((userId) => ({ user: { id: userId } })) };
    decisions.steps.push(buildRunStep((stepRequest) => updateGroup(stepRequest, systemUser, group.id, update), name));
  }
  return decisions;
});

/** The kinds of accounts, groups and roles. A kind refers only to kinds before it. */
export const peopleKinds: readonly ServerKind[] = [
  builtInRoleKind,
  roleKind,
  userKind,
  serviceAccountKind,
  groupKind,
  membershipKind,
];

/** The service itself, with all permissions. */
export const administrator = requirePermission(
  {
    ...systemUser,
    rights: mergeRights([{ permissions: [{ name: 'ADMIN' }], conditions: [] }]),
    may: () => true,
    belongsTo: () => true,
  },
  ['ADMIN'],
);

/** Returns the name of an account or a group in a plan. */
const accountNameOf = readName('username', 'email', 'name');

export const accessKind = buildKind('roles in projects', async ({ request, source, target }) => {
  const stored = await loadVersionedMembers(request);
  const decisions = new Decisions();
  for (const { id: project, access } of source.projects) {
    for (const [kind, counter] of [
      ['users', 'user'],
      ['groups', 'group'],
    ] as const) {
      const list = access?.[kind];
      const decidedIds = new Set<number>();
      for (const member of toList(list).filter(isJsonObject)) {
        const name = `${accountNameOf(member)} in ${project}`;
        const roleIds = Array.isArray(member.roles) ? member.roles : [member.roleId];
        const roles = roleIds.flatMap((id) => (typeof id === 'number' ? (target.idOf('role', id) ?? []) : []));
        const id = typeof member.id === 'number' ? target.idOf(counter, member.id) : undefined;
        if (id === undefined || roles.length < roleIds.length) {
          const reason = id === undefined ? 'the account or group is not here' : 'a role is not here';
          decisions.refused.push({ name, reason });
          continue;
        }
        decidedIds.add(id);
        const before = findProjectRoles(stored[kind].get(id)?.value, project)?.roles ?? [];
        const isSame = roles.length === before.length && roles.every((role) => before.includes(role));
        if (isSame) decisions.unchanged.push(name);
        else {
          const run = (stepRequest: Request) => setProjectRoles(stepRequest, administrator, project, kind, id, roles);
          decisions.steps.push(buildRunStep(run, name, before.length === 0 ? 'created' : 'changed'));
        }
      }
      for (const [id, { value }] of Array.isArray(list) ? stored[kind] : []) {
        if (decidedIds.has(id) || !findProjectRoles(value, project)?.roles.length) continue;
        decisions.remarks.push({
          name: `${accountNameOf({ ...value })} in ${project}`,
          reason: 'has a role here only',
        });
      }
    }
  }
  return decisions;
});
