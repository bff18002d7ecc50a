import { codec } from '../entity/codec.ts';
import { entity } from '../entity/entity.ts';
import * as peopleKeys from './keys.ts';
import { rootRoles } from './permissions.ts';
import { buildRoleReferences, type ProjectRoles, roleIdsByProject } from './roles.ts';

/** A person who uses the admin API. */
export interface User {
  readonly id: number;
  /** The user name. A user has one, an e-mail address, or both. */
  readonly username?: string;
  readonly name?: string;
  readonly email?: string;
  /** Time of the last sign-in. */
  readonly seenAt?: string;
  /** The id of their root role. */
  readonly rootRole: number;
  readonly createdAt: string;
  readonly projectRoles: readonly ProjectRoles[];
  /** The ids of their groups. */
  readonly groups: readonly number[];
  /** The id under which a directory manages them by SCIM; missing if none does. */
  readonly scimId?: string;
  /** Their id in the directory. */
  readonly externalId?: string;
  /** Their attributes as the directory sent them. */
  readonly provisioned?: ProvisionedPerson;
  /** A deactivated user has no rights and cannot sign in, until the directory activates them again. The roles stay. */
  readonly isDeactivated?: true;
}

/** The attributes of a person in a directory, with the names that SCIM gives them. */
export interface ProvisionedPerson {
  /** Their user name or e-mail address, in its spelling there. */
  readonly userName: string;
  readonly name?: { readonly formatted?: string; readonly familyName?: string; readonly givenName?: string };
  readonly displayName?: string;
  readonly emails?: readonly { readonly value?: string; readonly type?: string; readonly primary?: boolean }[];
  /** Time of the last change by the directory. */
  readonly modifiedAt: string;
}

export const users = entity<User, number>({
  kind: 'user',
  idOf: ({ id }) => id,
  partition: { pk: 'ACCESS', prefix: 'USER#' },
  codec: codec<User>({ projectRoles: true, groups: true, provisioned: true }),
  unique: { username: peopleKeys.username, email: peopleKeys.userEmail, externalId: peopleKeys.externalUser },
  furtherUniqueValues: listSignInNames,
  flagItems: ({ id, scimId }) => (scimId === undefined ? [] : [peopleKeys.provisionedUser(id)]),
  counter: 'user',
  touchedProperties: ['seenAt'],
  refersTo: (user) => buildRoleReferences(user, 'user', { id: user.id, name: authorNameOf(user) }),
  events: { created: 'user-created', updated: 'user-updated', deleted: 'user-deleted' },
  eventData: ({ id, username, name, email, rootRole, ...user }) => ({
    id,
    username: username ?? null,
    name: name ?? null,
    email: email ?? null,
    rootRole,
    projectRoles: roleIdsByProject(user.projectRoles),
    ...(user.scimId !== undefined && { scimId: user.scimId, externalId: user.externalId ?? null }),
    ...(user.isDeactivated && { isDeactivated: true }),
  }),
});

/** Lists the unique values that keep the user name of one user from being the address of another. */
function listSignInNames({ username, email }: Pick<User, 'username' | 'email'>) {
  return [
    ...(username === undefined
      ? []
      : [{ key: peopleKeys.signInName(username), property: 'user name', value: username }]),
    ...(email === undefined || (username !== undefined && isSameSignInName(username, email))
      ? []
      : [{ key: peopleKeys.signInName(email), property: 'e-mail address', value: email }]),
  ];
}

/** Tells whether two names sign in the same user: case and compatible forms of letters are ignored. */
export function isSameSignInName(name: string, other: string): boolean {
  return peopleKeys.signInName(name).sk === peopleKeys.signInName(other).sk;
}

/** Returns the name of a user as the author of events: the e-mail address, otherwise the user name. */
export function authorNameOf({ email, username }: Pick<User, 'email' | 'username'>): string {
  return email ?? username ?? '';
}

/** Returns a new user, a Viewer. */
export function newUser(id: number, username: string | undefined, createdAt: string): User {
  return {
    id,
    ...(username !== undefined && { username }),
    rootRole: rootRoles.Viewer,
    createdAt,
    projectRoles: [],
    groups: [],
  };
}

/** A program that uses the admin API with its own tokens. It has no password, and is not listed among users. */
export interface ServiceAccount extends User {
  readonly accountType: 'Service Account';
}

export const serviceAccounts = entity<ServiceAccount, number>({
  kind: 'service account',
  idOf: ({ id }) => id,
  partition: { pk: 'ACCESS', prefix: 'SERVICE#' },
  codec: codec<ServiceAccount>({ projectRoles: true, groups: true, provisioned: true }),
  // A user and a service account must not share a name, since events name their author.
  unique: { username: peopleKeys.username },
  counter: 'user',
  refersTo: (account) =>
    buildRoleReferences(account, 'service account', { id: account.id, name: authorNameOf(account) }),
  events: {
    created: 'service-account-created',
    updated: 'service-account-updated',
    deleted: 'service-account-deleted',
  },
  eventData: ({ id, username, name, rootRole, projectRoles }) => ({
    id,
    username,
    name,
    rootRole,
    projectRoles: roleIdsByProject(projectRoles),
  }),
});
