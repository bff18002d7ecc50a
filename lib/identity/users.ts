import { codec } from '../entity/codec.ts';
import { entity } from '../entity/entity.ts';
import * as peopleKeys from './keys.ts';
import { rootRoles } from './permissions.ts';
import { type ProjectRoles, roleReferences, rolesByProject } from './roles.ts';

/** A person who administers flags. */
export interface User {
  readonly id: number;
  /** User name; each user has one, an e-mail address, or both. */
  readonly username?: string;
  readonly name?: string;
  readonly email?: string;
  /** Time of the last sign-in. */
  readonly seenAt?: string;
  /** The id of their root role. */
  readonly rootRole: number;
  readonly createdAt: string;
  readonly projectRoles: readonly ProjectRoles[];
  /** The ids of the groups that they are a member of. */
  readonly groups: readonly number[];
}

export const users = entity<User, number>({
  kind: 'user',
  idOf: ({ id }) => id,
  partition: { pk: 'ACCESS', prefix: 'USER#' },
  codec: codec<User>({ projectRoles: true, groups: true }),
  unique: { username: peopleKeys.username, email: peopleKeys.userEmail },
  claims: signInNames,
  counter: 'user',
  touched: ['seenAt'],
  refersTo: (user) => roleReferences(user, 'user', { id: user.id, name: signatureOf(user) }),
  events: { created: 'user-created', updated: 'user-updated', deleted: 'user-deleted' },
  shown: ({ id, username, name, email, rootRole, ...user }) => ({
    id,
    username: username ?? null,
    name: name ?? null,
    email: email ?? null,
    rootRole,
    projectRoles: rolesByProject(user.projectRoles),
  }),
});

/**
 * Returns the names that a user signs in with: no user name is the address of another user, nor are two names the same
 * by `isSameSignInName`.
 */
function signInNames({ username, email }: Pick<User, 'username' | 'email'>) {
  return [
    ...(username === undefined
      ? []
      : [{ key: peopleKeys.signInName(username), property: 'user name', value: username }]),
    ...(email === undefined || (username !== undefined && isSameSignInName(username, email))
      ? []
      : [{ key: peopleKeys.signInName(email), property: 'e-mail address', value: email }]),
  ];
}

/** Tells whether two names look the same to people: case and compatible letters are ignored. */
export function isSameSignInName(one: string, other: string): boolean {
  return peopleKeys.signInName(one).sk === peopleKeys.signInName(other).sk;
}

/** Returns the name of a user for events: the e-mail address, otherwise the user name. */
export function signatureOf({ email, username }: Pick<User, 'email' | 'username'>): string {
  return email ?? username ?? '';
}

/** Makes a new user, who may only read. */
export function newUser(id: number, username: string | undefined, createdAt: string): User {
  const named = username === undefined ? {} : { username };
  return { id, ...named, rootRole: rootRoles.Viewer, createdAt, projectRoles: [], groups: [] };
}

/**
 * A program that administers flags with tokens of its own. It signs in with nothing else, and is in no list of users.
 */
export interface ServiceAccount extends User {
  readonly accountType: 'Service Account';
}

export const serviceAccounts = entity<ServiceAccount, number>({
  kind: 'service account',
  idOf: ({ id }) => id,
  partition: { pk: 'ACCESS', prefix: 'SERVICE#' },
  codec: codec<ServiceAccount>({ projectRoles: true, groups: true }),
  // No user has the name of a service account, so that an author in the log is one of them.
  unique: { username: peopleKeys.username },
  counter: 'user',
  refersTo: (account) => roleReferences(account, 'service account', { id: account.id, name: signatureOf(account) }),
  events: {
    created: 'service-account-created',
    updated: 'service-account-updated',
    deleted: 'service-account-deleted',
  },
  shown: ({ id, username, name, rootRole, projectRoles }) => ({
    id,
    username,
    name,
    rootRole,
    projectRoles: rolesByProject(projectRoles),
  }),
});
