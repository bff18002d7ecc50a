import * as v from 'valibot';
import { change } from '../entity/change.ts';
import { mergeEffects } from '../entity/effects.ts';
import { notFound, requireValid } from '../errors.ts';
import { directoryActor } from '../events/actor.ts';
import { loadAccounts } from '../identity/accounts.ts';
import { type Group, groups } from '../identity/groups.ts';
import * as peopleKeys from '../identity/keys.ts';
import { users } from '../identity/users.ts';
import { deleteGroup } from '../people/groups/administer-groups.ts';
import {
  buildMemberEffects,
  changeMembers,
  type MemberChange,
  membersAtOnce,
  withMembers,
} from '../people/groups/change-members.ts';
import { type Request, withoutIdempotencyRecord } from '../request.ts';
import * as keys from '../store/keys.ts';
import { raiseCounter } from '../store/transactions/transact.ts';
import { type Versioned, versionAfter } from '../store/transactions/versioned.ts';
import { object } from '../values/primitives.ts';
import { groupKind, type ScimResource, userKind } from './attributes.ts';
import type { RequiredValue } from './filter.ts';
import type { ResourceSource } from './list-resources.ts';
import { type LinkBase, locationOf, parseScimId, type StoredResource, scimIdOf } from './present.ts';
import { findClaimingIds, listManagedIds } from './resource-ids.ts';
import { ScimError } from './scim-error.ts';

/** The attributes of a group that are stored. */
interface GroupResource {
  readonly displayName: string;
  readonly externalId?: string;
  readonly members?: readonly { readonly value?: string }[];
}

/** The most members of a group. The item of a group with more would be too large. */
const membersMax = 4_000;
/** The longest name of a group. A directory may have longer names. */
const nameLengthMax = 100;

/** Groups, as a directory lists them. */
export const groupSource: ResourceSource = {
  kind: groupKind,
  listIds: (request) => listManagedIds(request, peopleKeys.provisionedGroups()),
  find: findByValue,
  load: async (request, ids, place) => {
    const stored = await groups.findSomeVersioned(request, ids);
    return ids.flatMap((id) => {
      const group = stored.get(id);
      return group?.value.scimId === undefined ? [] : [viewOf(group, place)];
    });
  },
};

async function findByValue(
  request: Request,
  { attribute, value }: RequiredValue,
): Promise<readonly number[] | undefined> {
  switch (attribute) {
    case 'id': {
      const id = parseScimId(groupKind, value);
      return id === undefined ? [] : [id];
    }
    case 'externalid':
      return findClaimingIds(request, [peopleKeys.externalGroup(value)]);
    case 'displayname':
      return findClaimingIds(request, [peopleKeys.directoryGroupName(value)]);
    case 'members':
    case 'members.value': {
      const user = await users.find(request, parseScimId(userKind, value) ?? 0);
      return user?.value.groups ?? [];
    }
    default:
      return undefined;
  }
}

function viewOf({ value: group, version }: Versioned<Group>, place: LinkBase): StoredResource {
  const { id, name, directoryName = name, externalId, createdAt, provisionedAt = createdAt } = group;
  const members = listMembers(group).map((userId) => ({
    value: scimIdOf(userKind, userId),
    $ref: locationOf(userKind, userId, place),
    type: 'User',
  }));
  const resource = {
    ...(externalId !== undefined && { externalId }),
    displayName: directoryName,
    ...(members.length > 0 && { members }),
  };
  return { id, resource, createdAt, modifiedAt: provisionedAt, version };
}

/** Lists the members that a directory has added; others belong to administrators. */
function listMembers({ members }: Group): number[] {
  return members.flatMap(({ userId, isProvisioned }) => (isProvisioned ? [userId] : []));
}

/** @throws ApiError 404 for an unknown group, and for one that the directory does not manage. */
export async function loadProvisionedGroup(
  request: Request,
  scimId: string,
  place: LinkBase,
): Promise<Versioned<StoredResource>> {
  const group = await loadManagedGroup(request, scimId);
  return { value: viewOf(group, place), version: group.version };
}

async function loadManagedGroup(request: Request, scimId: string): Promise<Versioned<Group>> {
  const id = parseScimId(groupKind, scimId);
  const group = id === undefined ? undefined : await groups.find(request, id);
  if (group?.value.scimId === undefined) throw notFound('group', scimId);
  return group;
}

/**
 * Creates a group, or lets the directory manage an existing one: the group with the name, or else the only one whose `mappingsSSO` has
 * it. That group keeps its roles, which its new members then have. More than 40 members are added in several transactions. If the
 * request is interrupted and sent again, it completes.
 * @throws ApiError 409 if the directory manages a group with the name or external id; 400 for too many members.
 */
export async function provisionGroup(
  request: Request,
  resource: ScimResource,
  place: LinkBase,
): Promise<Versioned<StoredResource>> {
  const wanted = readGroup(resource);
  const known = createMemberCheck(request);
  const members = await known(listWanted(wanted));
  const fitsOneTransaction = members.length <= membersAtOnce;
  const first = members.slice(0, membersAtOnce);
  const begun = await change(fitsOneTransaction ? request : withoutIdempotencyRecord(request), directoryActor, {
    of: [peopleKeys.directoryGroupName(wanted.displayName)],
    likelyEvents: 1 + first.length,
    read: async () => {
      const [before, accounts, newId] = await Promise.all([
        findLinked(request, wanted),
        loadAccounts(request, first),
        raiseCounter(request, keys.counter('group'), 1),
      ]);
      return { before, accounts, id: before?.value.id ?? newId };
    },
    revisionOf: ({ before }) => before,
    decide: ({ before, accounts, id }, at) => {
      const base: Group = before?.value ?? {
        ...{ id, name: nameOf(wanted), createdBy: directoryActor.name, createdAt: at },
        ...{ mappingsSSO: [], projectRoles: [], members: [] },
      };
      const present = base.members.map(({ userId }) => userId);
      const added = first.filter((userId) => accounts.has(userId) && !present.includes(userId));
      const content = withContent({ ...base, scimId: scimIdOf(groupKind, id) }, wanted, members, at);
      const diff = { added, removed: [], areProvisioned: true as const };
      const joined = withMembers(content, diff, directoryActor, at);
      const group = fitsOneTransaction ? joined : { ...joined, isUnfinished: true as const };
      const memberEffects = buildMemberEffects(group, { ...diff, accounts });
      const viewed = (version: number) => ({ value: viewOf({ value: group, version }, place), version });
      if (before === undefined) {
        const { version, ...created } = groups.creationEffects(group, at, 'retry');
        return { ...mergeEffects([created, memberEffects]), result: viewed(version) };
      }
      const effects = mergeEffects([groups.updateEffects(before, group), memberEffects]);
      return { ...effects, result: viewed(versionAfter(before, effects).version) };
    },
  });
  return fitsOneTransaction ? begun : reviseGroup(request, begun.value.id, () => wanted, known, place);
}

/**
 * Finds the existing group that a new one of the directory becomes.
 * @throws ApiError 409 for a group that the directory manages already, unless its creation is unfinished.
 */
async function findLinked(request: Request, wanted: GroupResource): Promise<Versioned<Group> | undefined> {
  const { displayName, externalId: external } = wanted;
  const [holders, ids] = await Promise.all([
    groups.holders(request, 'name', [nameOf(wanted)]),
    findClaimingIds(request, [
      peopleKeys.directoryGroupName(displayName),
      ...(external === undefined ? [] : [peopleKeys.externalGroup(external)]),
    ]),
  ]);
  const [named] = holders.values();
  const found = await groups.findSomeVersioned(request, [...ids, ...(named ? [named.id] : [])]);
  const managed = [...found.values()].filter(({ value }) => value.scimId !== undefined);
  const [unfinished] = managed;
  const isSame = unfinished?.value.isUnfinished && unfinished.value.directoryName === displayName;
  if (managed.length > (isSame ? 1 : 0)) {
    throw new ScimError('uniqueness', `There is already a group with the name or external id of "${displayName}".`);
  }
  if (unfinished !== undefined) return unfinished;
  return (named && found.get(named.id)) ?? findMapped(request, displayName);
}

/** Finds the only group with a mapping that the directory does not manage. It reads all groups. */
async function findMapped(request: Request, displayName: string): Promise<Versioned<Group> | undefined> {
  const all = await groups.listVersioned(request);
  const mapped = all.filter(({ value }) => value.scimId === undefined && value.mappingsSSO.includes(displayName));
  return mapped.length === 1 ? mapped[0] : undefined;
}

/**
 * Changes a group. More than 40 changes of members take several transactions. If the request is interrupted and sent again, it completes.
 * @param revise returns the resource after the change.
 * @throws ApiError 404 for an unknown group; 409 for a name or external id in use; 400 for too many members; 412 if `If-Match` does not
 * match; and the errors of `revise`.
 */
export async function updateProvisionedGroup(
  request: Request,
  scimId: string,
  revise: (resource: ScimResource) => ScimResource,
  place: LinkBase,
): Promise<Versioned<StoredResource>> {
  const id = parseScimId(groupKind, scimId);
  if (id === undefined) throw notFound('group', scimId);
  return reviseGroup(request, id, (resource) => readGroup(revise(resource)), createMemberCheck(request), place);
}

type MemberCheck = ReturnType<typeof createMemberCheck>;

function reviseGroup(
  request: Request,
  id: number,
  revise: (resource: ScimResource) => GroupResource,
  keepKnown: MemberCheck,
  place: LinkBase,
): Promise<Versioned<StoredResource>> {
  const load = async () => {
    const before = await loadManagedGroup(request, scimIdOf(groupKind, id));
    const wanted = revise(viewOf(before, place).resource);
    const members = await keepKnown(listWanted(wanted));
    return { ...(await loadMemberChange(request, before, members)), wanted, members };
  };
  return changeMembers(request, directoryActor, id, load, (memberChange, at) => {
    const { before, wanted, members } = memberChange;
    const content = withContent(before.value, wanted, members, at);
    const group = withMembers(content, memberChange, directoryActor, at);
    const effects = mergeEffects([groups.updateEffects(before, group), buildMemberEffects(group, memberChange)]);
    const { version } = versionAfter(before, effects);
    return { ...effects, result: { value: viewOf({ value: group, version }, place), version } };
  });
}

/** Loads the changes that give a group the wanted members of the directory, with the accounts that the next transaction changes. */
async function loadMemberChange(
  request: Request,
  before: Versioned<Group>,
  members: readonly number[],
): Promise<MemberChange> {
  const present = new Set(before.value.members.map(({ userId }) => userId));
  const wanted = new Set(members);
  const added = members.filter((userId) => !present.has(userId));
  const removed = listMembers(before.value).filter((userId) => !wanted.has(userId));
  const accounts = await loadAccounts(request, [...removed.slice(0, membersAtOnce), ...added.slice(0, membersAtOnce)]);
  return { before, added, removed, accounts, areProvisioned: true };
}

/** Returns a function that leaves out users whom the directory does not manage. It reads each of the others once. */
function createMemberCheck(request: Request) {
  const known = new Map<number, boolean>();
  return async (ids: readonly number[]): Promise<number[]> => {
    const unchecked = ids.filter((id) => !known.has(id));
    const found = await users.findSome(request, unchecked);
    for (const id of unchecked) known.set(id, found.get(id)?.scimId !== undefined);
    return ids.filter((id) => known.get(id));
  };
}

/**
 * Deletes a group that the directory created. One that existed before stays with its roles, without the members of the directory.
 * @throws ApiError 404 for an unknown group; 412 if `If-Match` does not match.
 */
export async function withdrawGroup(request: Request, scimId: string): Promise<void> {
  const { value } = await loadManagedGroup(request, scimId);
  if (value.createdBy === directoryActor.name) return deleteGroup(request, directoryActor, value.id);
  const load = async () => loadMemberChange(request, await loadManagedGroup(request, scimId), []);
  await changeMembers(request, directoryActor, value.id, load, (memberChange, at) => {
    const { before } = memberChange;
    const left = withMembers(before.value, memberChange, directoryActor, at);
    const {
      scimId: _id,
      externalId: _external,
      directoryName: _name,
      provisionedAt: _at,
      isUnfinished: _u,
      ...group
    } = left;
    const effects = [groups.updateEffects(before, group), buildMemberEffects(group, memberChange)];
    return { ...mergeEffects(effects), result: undefined };
  });
}

const externalId = v.pipe(v.string(), v.minLength(1), v.maxLength(250));

/** @throws ApiError 400 for too many members, and for an external id that is too long. */
function readGroup(resource: ScimResource): GroupResource {
  const group = resource as unknown as GroupResource;
  if (group.externalId !== undefined) requireValid(object({ externalId }), { externalId: group.externalId });
  if ((group.members?.length ?? 0) > membersMax)
    throw new ScimError('invalidValue', `A group has at most ${membersMax} members.`);
  return { ...group, displayName: group.displayName.trim() };
}

/** Lists the wanted members. Ids of anything but users are ignored. */
function listWanted({ members = [] }: GroupResource): number[] {
  const ids = members.flatMap(({ value = '' }) => parseScimId(userKind, value) ?? []);
  return [...new Set(ids)];
}

function nameOf({ displayName }: Pick<GroupResource, 'displayName'>): string {
  return displayName.slice(0, nameLengthMax).trim();
}

/**
 * Returns a group with the name and the external id from the directory. It keeps another name of its own. Members by an administrator
 * whom the directory adds, too, become members of the directory.
 */
function withContent(before: Group, wanted: GroupResource, members: readonly number[], at: string): Group {
  const { externalId: _, isUnfinished: _unfinished, ...group } = before;
  const { displayName, externalId: external } = wanted;
  const isNamedAlike =
    before.directoryName !== undefined && before.name === nameOf({ displayName: before.directoryName });
  const provisioned = new Set(members);
  const after: Group = {
    ...group,
    ...(isNamedAlike && { name: nameOf(wanted) }),
    directoryName: displayName,
    ...(external !== undefined && { externalId: external }),
    members: group.members.map((member) =>
      provisioned.has(member.userId) && !member.isProvisioned ? { ...member, isProvisioned: true } : member,
    ),
  };
  const isSame = before.directoryName === displayName && before.externalId === external && sameMembers(before, members);
  return isSame ? after : { ...after, provisionedAt: at };
}

function sameMembers(group: Group, members: readonly number[]): boolean {
  const present = new Set(listMembers(group));
  return present.size === members.length && members.every((userId) => present.has(userId));
}
