import { codec } from '../entity/codec.ts';
import { entity } from '../entity/entity.ts';
import { keysIn } from '../store/client/definition.ts';
import { type ProjectRoles, roleReferences, rolesByProject } from './roles.ts';

interface Member {
  readonly userId: number;
  readonly joinedAt: string;
  readonly createdBy: string;
  /** Marks a member who joined by the word of an identity provider, and so leaves by it. */
  readonly isSignedOn?: true;
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
  /** The roles that all members have in projects. */
  readonly projectRoles: readonly ProjectRoles[];
  readonly members: readonly Member[];
  /** Its creation has not come to its end: of so many members, each step adds some. */
  readonly isUnfinished?: true;
}

export const groups = entity<Group, number>({
  kind: 'group',
  idOf: ({ id }) => id,
  partition: { pk: 'ACCESS', prefix: 'GROUP#' },
  codec: codec<Group>({ mappingsSSO: true, projectRoles: true, members: true }),
  unique: { name: keysIn({ pk: 'GROUP_NAMES' }) },
  counter: 'group',
  refersTo: (group) => roleReferences(group, 'group', group),
  events: { created: 'group-created', updated: 'group-updated', deleted: 'group-deleted' },
  shown: ({ id, name, description, rootRole, mappingsSSO, projectRoles, members }) => ({
    id,
    name,
    description: description ?? null,
    rootRole: rootRole ?? null,
    mappingsSSO,
    projects: rolesByProject(projectRoles),
    users: members.map(({ userId }) => userId),
  }),
});
