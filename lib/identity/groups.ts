import { codec } from '../entity/codec.ts';
import { entity } from '../entity/entity.ts';
import { keysIn } from '../store/client/definition.ts';
import * as peopleKeys from './keys.ts';
import { buildRoleReferences, type ProjectRoles, roleIdsByProject } from './roles.ts';

interface Member {
  readonly userId: number;
  readonly joinedAt: string;
  readonly createdBy: string;
  /** An identity provider added this member, and removes them again. */
  readonly isSignedOn?: true;
  /** A directory added this member by SCIM, and removes them again. */
  readonly isProvisioned?: true;
}

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
  /** Its creation is under way: of many members, each transaction adds some. */
  readonly isUnfinished?: true;
  /** The id under which a directory manages it by SCIM; missing if none does. */
  readonly scimId?: string;
  /** The id in the directory. */
  readonly externalId?: string;
  /** The name in the directory, which differs from that here if a mapping has joined the two groups. */
  readonly directoryName?: string;
  /** Time of the last change by the directory. */
  readonly provisionedAt?: string;
}

export const groups = entity<Group, number>({
  kind: 'group',
  idOf: ({ id }) => id,
  partition: { pk: 'ACCESS', prefix: 'GROUP#' },
  codec: codec<Group>({ mappingsSSO: true, projectRoles: true, members: true }),
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
    users: members.map(({ userId }) => userId),
    ...(group.scimId !== undefined && { scimId: group.scimId, externalId: group.externalId ?? null }),
  }),
});
