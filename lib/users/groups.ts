import { codec } from '../entity/codec.ts';
import { entity } from '../entity/entity.ts';
import { keys, partitions } from '../table/keys.ts';

interface Member {
  readonly userId: number;
  readonly joinedAt: string;
  readonly createdBy: string;
}

/** Users who share a role. */
export interface Group {
  readonly id: number;
  readonly name: string;
  readonly description?: string;
  /** The id of the root role that all members hold. */
  readonly rootRole?: number;
  readonly createdBy: string;
  readonly createdAt: string;
  /** The groups of the single sign-on that are mapped to this one. */
  readonly mappingsSSO: readonly string[];
  /** The ids of the projects where the group is used. */
  readonly projects: readonly string[];
  readonly members: readonly Member[];
}

export const groups = entity<Group, number>({
  kind: 'group',
  idOf: ({ id }) => id,
  keyOf: keys.group,
  partitions: [{ ...partitions.access(), prefix: 'GROUP#' }],
  codec: codec<Group>({ mappingsSSO: true, projects: true, members: true }),
  unique: { name: keys.groupName },
  counter: 'group',
  events: { created: 'group-created', updated: 'group-updated', deleted: 'group-deleted' },
  shown: ({ id, name, description, rootRole, mappingsSSO, projects, members }) => ({
    id,
    name,
    description: description ?? null,
    rootRole: rootRole ?? null,
    mappingsSSO,
    projects,
    users: members.map(({ userId }) => userId),
  }),
});
