import { type Codec, codec } from '../entity/codec.ts';
import { entity } from '../entity/entity.ts';
import { keysIn } from '../store/client/definition.ts';
import { decodeMembers, encodeMembers, type Member } from './group-members.ts';
import * as peopleKeys from './keys.ts';
import { buildRoleReferences, type ProjectRoles, roleIdsByProject } from './roles.ts';

/** Users and service accounts who share roles. */
export interface Group {
  readonly id: number;
  readonly name: string;
  readonly description?: string;
  /** The id of the root role that all members hold. */
  readonly rootRole?: number;
  readonly createdBy: string;
  readonly createdAt: string;
  /** The identity provider's groups whose members join this one. */
  readonly mappingsSSO: readonly string[];
  /** The roles that all members have in projects. */
  readonly projectRoles: readonly ProjectRoles[];
  readonly members: readonly Member[];
  /** Marks a group that is being created: several transactions add its members. */
  readonly isUnfinished?: true;
  /** The id under which a directory manages it by SCIM; missing if none does. */
  readonly scimId?: string;
  /**
   * Marks a group that was here before the directory managed it. It stays when the directory deletes it. Groups that were linked by a release
   * without this are known by their creator only.
   */
  readonly isLinked?: true;
  /** The id in the directory. */
  readonly externalId?: string;
  /** The name in the directory. It differs from the name here if a mapping has linked the two groups. */
  readonly directoryName?: string;
  /** Time of the last change by the directory. */
  readonly provisionedAt?: string;
}

const flatCodec = codec<Group>({ mappingsSSO: true, projectRoles: true, members: true });

/**
 * A codec that stores members in a short form. Releases up to 0.6 store them in `members`, and fail on items without it. If such a release
 * adds a member who is also in the short form, the member counts once.
 */
const groupCodec: Codec<Group> = {
  encode: ({ members, ...group }) => ({
    ...flatCodec.encode({ ...group, members: [] }),
    memberships: JSON.stringify(encodeMembers(members)),
  }),
  decode: (item) => {
    const { memberships, ...group } = flatCodec.decode(item) as Group & { readonly memberships?: string };
    const members = memberships === undefined ? [] : decodeMembers(JSON.parse(memberships));
    const known = new Set(members.map(({ userId }) => userId));
    return { ...group, members: [...members, ...group.members.filter(({ userId }) => !known.has(userId))] };
  },
};

/**
 * The most members that the events of a group list. An update lists the members before and after it, so events of larger groups would cost
 * more than the change. There is also an event for each member who joins or leaves.
 */
const eventMembersMax = 100;

export const groups = entity<Group, number>({
  kind: 'group',
  idOf: ({ id }) => id,
  partition: { pk: 'ACCESS', prefix: 'GROUP#' },
  codec: groupCodec,
  unique: {
    name: keysIn({ pk: 'GROUP_NAMES' }),
    externalId: peopleKeys.externalGroup,
    directoryName: peopleKeys.directoryGroupName,
  },
  flagItems: ({ id, scimId }) => (scimId === undefined ? [] : [peopleKeys.provisionedGroup(id)]),
  counter: 'group',
  refersTo: (group) => buildRoleReferences(group, 'group', group),
  events: { created: 'group-created', updated: 'group-updated', deleted: 'group-deleted' },
  eventData: ({ id, name, description, rootRole, mappingsSSO, projectRoles, members, ...group }) => ({
    id,
    name,
    description: description ?? null,
    rootRole: rootRole ?? null,
    mappingsSSO,
    projects: roleIdsByProject(projectRoles),
    ...(members.length <= eventMembersMax && { users: members.map(({ userId }) => userId) }),
    ...(group.scimId !== undefined && { scimId: group.scimId, externalId: group.externalId ?? null }),
  }),
});
