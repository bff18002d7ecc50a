import { codec } from '../entity/codec.ts';
import { entity } from '../entity/entity.ts';
import { keys, partitions } from '../table/keys.ts';
import { type ProjectRole, rootRoles } from './permissions.ts';

/** A person who administers flags. */
export interface User {
  readonly id: number;
  /** One of user name and e-mail address is there. */
  readonly username?: string;
  readonly name?: string;
  readonly email?: string;
  /** The id of their root role. */
  readonly rootRole: number;
  readonly createdAt: string;
  readonly projectRoles: readonly (readonly [project: string, role: ProjectRole])[];
  /** The ids of the groups that they are a member of. */
  readonly groups: readonly number[];
}

export const users = entity<User, number>({
  kind: 'user',
  idOf: ({ id }) => id,
  keyOf: keys.user,
  partitions: [{ ...partitions.access(), prefix: 'USER#' }],
  codec: codec<User>({ projectRoles: true, groups: true }),
  unique: { username: keys.username, email: keys.userEmail },
  counter: 'user',
  events: { created: 'user-created', updated: 'user-updated', deleted: 'user-deleted' },
  shown: ({ id, username, name, email, rootRole, projectRoles }) => ({
    id,
    username: username ?? null,
    name: name ?? null,
    email: email ?? null,
    rootRole,
    projectRoles: Object.fromEntries(projectRoles),
  }),
});

/** How events name a user: by e-mail, else by user name. */
export function signatureOf({ email, username }: Pick<User, 'email' | 'username'>): string {
  return email ?? username ?? '';
}

/** A user who may read. */
export function newUser(id: number, username: string, createdAt: string): User {
  return { id, username, rootRole: rootRoles.Viewer, createdAt, projectRoles: [], groups: [] };
}
