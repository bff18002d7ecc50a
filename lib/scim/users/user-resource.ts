import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { requireValid } from '../../errors.ts';
import { isSameSignInName, type ProvisionedPerson, type User } from '../../identity/users.ts';
import { emailAddress, personName, username } from '../../people/user-fields.ts';
import type { Versioned } from '../../store/transactions/versioned.ts';
import { object } from '../../values/primitives.ts';
import type { ScimResource } from '../attributes.ts';
import { assertExternalId } from '../external-id.ts';
import type { StoredResource } from '../present.ts';

/** The attributes of a user that are stored. */
export interface PersonResource extends Omit<ProvisionedPerson, 'modifiedAt'> {
  readonly externalId?: string;
  readonly active?: boolean;
}

/**
 * Reads a person whom a directory has sent.
 * @throws ApiError 400 for an external id that is too long.
 */
export function readPerson(resource: ScimResource): PersonResource {
  const person = resource as unknown as PersonResource;
  assertExternalId(person);
  return { ...person, userName: person.userName.trim() };
}

/** Returns the attributes of a user in the directory. */
export function personResourceOf({ externalId, provisioned, isDeactivated, ...user }: User): PersonResource {
  const { modifiedAt: _, ...attributes } = provisioned ?? {
    userName: user.email ?? user.username ?? '',
    modifiedAt: '',
  };
  return { ...(externalId !== undefined && { externalId }), ...attributes, active: !isDeactivated };
}

/** Returns a user as a directory sees them. */
export function userResourceOf({ value: user, version }: Versioned<User>): StoredResource {
  const { modifiedAt = user.createdAt } = user.provisioned ?? {};
  return { id: user.id, resource: { ...personResourceOf(user) }, createdAt: user.createdAt, modifiedAt, version };
}

/**
 * Returns the names here of a person.
 * @param user the same person as a user, if they are here already.
 * @throws ApiError 400 for an invalid one.
 */
export function namesOf({ userName, emails = [], displayName, name = {} }: PersonResource, user: User | undefined) {
  const address = (emails.find(({ primary }) => primary) ?? emails[0])?.value;
  const email = address ?? (v.is(emailAddress, userName) ? userName : undefined);
  const isAddress = email !== undefined && isSameSignInName(userName, email);
  // A user who existed before keeps their user name beside the address.
  const ownName = user?.username === user?.provisioned?.userName ? undefined : user?.username;
  const full = displayName ?? name.formatted ?? [name.givenName, name.familyName].filter(Boolean).join(' ');
  if (address !== undefined) requireValid(object({ emails: emailAddress }), { emails: address });
  if (!isAddress) requireValid(object({ userName: username }), { userName });
  return {
    email,
    username: isAddress ? ownName : userName,
    name:
      full.trim() === ''
        ? user?.name
        : requireValid(object({ displayName: personName }), { displayName: full }).displayName,
  };
}

/**
 * Returns a user with the attributes of a person. The time of the change stays if nothing changes.
 * @throws ApiError 400 for an invalid name or address.
 */
export function withPerson(user: User, person: PersonResource, at: string): User {
  const { active, externalId: id, ...attributes } = person;
  const { username: _username, email: _email, name: _name, externalId: _id, isDeactivated: _active, ...others } = user;
  const { email, username: signInName, name } = namesOf(person, user);
  const { modifiedAt = at, ...before } = user.provisioned ?? {};
  const isSame = isDeepStrictEqual(
    { ...before, id: user.externalId, active: !user.isDeactivated },
    { ...attributes, id, active },
  );
  return {
    ...others,
    ...(signInName !== undefined && { username: signInName }),
    ...(email !== undefined && { email }),
    ...(name !== undefined && { name }),
    ...(id !== undefined && { externalId: id }),
    ...(active === false && { isDeactivated: true }),
    provisioned: { ...attributes, modifiedAt: isSame ? modifiedAt : at },
  };
}
