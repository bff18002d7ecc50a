import type { Group } from '../../identity/groups.ts';
import { groupMembersMax } from '../../people/groups/group-schema.ts';
import type { Versioned } from '../../store/transactions/versioned.ts';
import { shortenText } from '../../values/shorten-text.ts';
import { groupKind, type ScimResource, userKind } from '../attributes.ts';
import { assertExternalId } from '../external-id.ts';
import { type LinkBase, locationOf, parseScimId, type StoredResource, scimIdOf } from '../present.ts';
import { ScimError } from '../scim-error.ts';

/** The attributes of a group that are stored. */
export interface GroupResource {
  readonly displayName: string;
  readonly externalId?: string;
  readonly members?: readonly { readonly value?: string }[];
}

/** The longest name of a group here. Names in a directory may be longer. */
const nameLengthMax = 100;

/**
 * Reads a group that a directory has sent.
 * @throws ApiError 400 for too many members, and for an external id that is too long.
 */
export function readGroup(resource: ScimResource): GroupResource {
  const group = resource as unknown as GroupResource;
  assertExternalId(group);
  if ((group.members?.length ?? 0) > groupMembersMax)
    throw new ScimError('invalidValue', `A group has at most ${groupMembersMax} members.`);
  return { ...group, displayName: group.displayName.trim() };
}

/** Lists the ids here of the members that a directory wants. Ids of anything but users are ignored. */
export function listWantedMembers({ members = [] }: GroupResource): number[] {
  const ids = members.flatMap(({ value = '' }) => parseScimId(userKind, value) ?? []);
  return [...new Set(ids)];
}

/** Returns the name here of a group that a directory creates. */
export function groupNameOf({ displayName }: Pick<GroupResource, 'displayName'>): string {
  return shortenText(displayName, nameLengthMax).trim();
}

/** Lists the members that a directory has added; others belong to administrators. */
export function listProvisionedMembers({ members }: Group): number[] {
  return members.flatMap(({ userId, isProvisioned }) => (isProvisioned ? [userId] : []));
}

/** Returns a group as a directory sees it. */
export function groupResourceOf({ value: group, version }: Versioned<Group>, links: LinkBase): StoredResource {
  const { id, name, directoryName = name, externalId, createdAt, provisionedAt = createdAt } = group;
  const members = listProvisionedMembers(group).map((userId) => ({
    value: scimIdOf(userKind, userId),
    $ref: locationOf(userKind, userId, links),
    type: 'User',
  }));
  const resource = {
    ...(externalId !== undefined && { externalId }),
    displayName: directoryName,
    ...(members.length > 0 && { members }),
  };
  return { id, resource, createdAt, modifiedAt: provisionedAt, version };
}

/**
 * Returns a group with the name and the external id from the directory, which manages it from then on. A name that an administrator gave
 * it stays. Members whom the directory and an administrator have added belong to the directory. The time of the change stays if nothing
 * changes.
 */
export function withDirectoryContent(
  before: Group,
  wanted: GroupResource,
  members: readonly number[],
  at: string,
): Group {
  const { externalId: _, isUnfinished: _unfinished, ...group } = before;
  const { displayName, externalId: external } = wanted;
  const isNamedAlike =
    before.directoryName !== undefined && before.name === groupNameOf({ displayName: before.directoryName });
  const provisioned = new Set(members);
  const after: Group = {
    ...group,
    scimId: scimIdOf(groupKind, group.id),
    ...(isNamedAlike && { name: groupNameOf(wanted) }),
    directoryName: displayName,
    ...(external !== undefined && { externalId: external }),
    members: group.members.map((member) =>
      provisioned.has(member.userId) && !member.isProvisioned ? { ...member, isProvisioned: true } : member,
    ),
  };
  const isSame = before.directoryName === displayName && before.externalId === external && hasMembers(before, members);
  return isSame ? after : { ...after, provisionedAt: at };
}

/** Returns a group without the attributes of the directory. Its members stay. */
export function withoutDirectoryContent(group: Group): Group {
  const {
    scimId: _id,
    isLinked: _linked,
    externalId: _external,
    directoryName: _name,
    provisionedAt: _at,
    isUnfinished: _unfinished,
    ...own
  } = group;
  return own;
}

function hasMembers(group: Group, members: readonly number[]): boolean {
  const present = new Set(listProvisionedMembers(group));
  return present.size === members.length && members.every((userId) => present.has(userId));
}
