import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { change } from '../entity/change.ts';
import { type Effects, mergeEffects, noEffects } from '../entity/effects.ts';
import { notFound, requireValid } from '../errors.ts';
import { directoryActor } from '../events/actor.ts';
import { isServiceAccount, loadAccounts } from '../identity/accounts.ts';
import { forgetUser } from '../identity/caller.ts';
import * as peopleKeys from '../identity/keys.ts';
import { rootRoles } from '../identity/permissions.ts';
import { isSameSignInName, newUser, type ProvisionedPerson, type User, users } from '../identity/users.ts';
import { loadOtherAdminCheck } from '../people/administer-users.ts';
import { emailAddress, personName, username } from '../people/user-fields.ts';
import type { Request } from '../request.ts';
import { confirmAddress, isAddressClaimed } from '../sign-in/own-address.ts';
import { buildLinkRemoval, loadRecord } from '../sign-in/passwords/records.ts';
import { buildAccessEnd } from '../sign-in/users-who-sign-in.ts';
import * as keys from '../store/keys.ts';
import { raiseCounter } from '../store/transactions/transact.ts';
import { type Versioned, versionAfter } from '../store/transactions/versioned.ts';
import { object } from '../values/primitives.ts';
import { type ScimResource, userKind } from './attributes.ts';
import type { RequiredValue } from './filter.ts';
import type { ResourceSource } from './list-resources.ts';
import { parseScimId, type StoredResource, scimIdOf } from './present.ts';
import { findClaimingIds, listManagedIds } from './resource-ids.ts';
import { ScimError } from './scim-error.ts';

/** The attributes of a user that are stored. */
interface PersonResource extends Omit<ProvisionedPerson, 'modifiedAt'> {
  readonly externalId?: string;
  readonly active?: boolean;
}

/** Users, as a directory lists them. */
export const userSource: ResourceSource = {
  kind: userKind,
  listIds: (request) => listManagedIds(request, peopleKeys.provisionedUsers()),
  find: findByValue,
  load: async (request, ids) => {
    const stored = await users.findSomeVersioned(request, ids);
    return ids.flatMap((id) => {
      const user = stored.get(id);
      return user?.value.scimId === undefined ? [] : [viewOf(user)];
    });
  },
};

async function findByValue(request: Request, { attribute, value }: RequiredValue): Promise<number[] | undefined> {
  const id = parseScimId(userKind, value);
  switch (attribute) {
    case 'id':
      return id === undefined ? [] : [id];
    case 'externalid':
      return findClaimingIds(request, [peopleKeys.externalUser(value)]);
    case 'username':
    case 'emails':
    case 'emails.value':
      return findClaimingIds(request, [peopleKeys.signInName(value)]);
    default:
      return undefined;
  }
}

function viewOf({ value: user, version }: Versioned<User>): StoredResource {
  const { modifiedAt = user.createdAt } = user.provisioned ?? {};
  return { id: user.id, resource: { ...resourceOf(user) }, createdAt: user.createdAt, modifiedAt, version };
}

function resourceOf({ externalId, provisioned, isDeactivated, ...user }: User): PersonResource {
  const { modifiedAt: _, ...attributes } = provisioned ?? {
    userName: user.email ?? user.username ?? '',
    modifiedAt: '',
  };
  return { ...(externalId !== undefined && { externalId }), ...attributes, active: !isDeactivated };
}

/** @throws ApiError 404 for an unknown user, and for one that the directory does not manage. */
export async function loadProvisionedUser(request: Request, scimId: string): Promise<Versioned<StoredResource>> {
  const user = await loadManagedUser(request, scimId);
  return { value: viewOf(user), version: user.version };
}

/** @throws ApiError 404 for an unknown user, and for one that the directory does not manage. */
export async function loadManagedUser(request: Request, scimId: string): Promise<Versioned<User>> {
  const id = parseScimId(userKind, scimId);
  const user = id === undefined ? undefined : await users.find(request, id);
  if (user?.value.scimId === undefined) throw notFound('user', scimId);
  return user;
}

/**
 * Creates a user, or lets the directory manage an existing one with the same name or address, who keeps their roles.
 * @throws ApiError 409 if the directory manages a user with the name, address or external id; 400 for an invalid name or address, and
 * for the last Admin, who cannot be deactivated.
 */
export async function provisionUser(request: Request, resource: ScimResource): Promise<Versioned<StoredResource>> {
  const person = readPerson(resource);
  const { email } = namesOf(person, undefined);
  const result = await change(request, directoryActor, {
    of: [peopleKeys.signInName(person.userName)],
    read: async () => {
      const [linked, newId] = await Promise.all([
        findLinked(request, person, email),
        raiseCounter(request, keys.counter('user'), 1),
      ]);
      const before = linked && (await withOwnAddress(request, linked));
      const ending = before && (await loadEnding(request, before, person));
      return { before, ending, id: before?.value.id ?? newId };
    },
    revisionOf: ({ before }) => before,
    decide: ({ before, ending, id }, at) => {
      const managed = { ...(before?.value ?? newUser(id, undefined, at)), scimId: scimIdOf(userKind, id) };
      const user = withPerson(managed, { active: true, ...person }, at);
      if (before === undefined) {
        const { version, ...effects } = users.creationEffects(user, at, 'retry');
        return { ...effects, result: { value: viewOf({ value: user, version }), version } };
      }
      return buildUpdate(before, user, ending);
    },
  });
  forgetUser(request, result.value.id);
  return result;
}

/**
 * Finds the existing user who is the same person as a new one of the directory.
 * @throws ApiError 409 for a user that the directory manages already or who may be another person, and for a service account.
 */
async function findLinked(
  request: Request,
  { userName, externalId }: PersonResource,
  email: string | undefined,
): Promise<Versioned<User> | undefined> {
  const [byName, byAddress, byExternalId] = await Promise.all([
    findClaimingIds(request, [peopleKeys.username(userName), peopleKeys.signInName(userName)]),
    email === undefined ? [] : findClaimingIds(request, [peopleKeys.signInName(email)]),
    externalId === undefined ? [] : findClaimingIds(request, [peopleKeys.externalUser(externalId)]),
  ]);
  const ids = [...new Set([...byName, ...byAddress, ...byExternalId])];
  const accounts = await loadAccounts(request, ids);
  const found = ids.flatMap((id) => accounts.get(id) ?? []);
  const taken = found.find(({ value }) => value.scimId !== undefined || isServiceAccount(value));
  if (taken !== undefined) {
    throw new ScimError(
      'uniqueness',
      `There is already a user with the name, address or external id of "${userName}".`,
    );
  }
  const [first, second] = found;
  if (second !== undefined) {
    throw new ScimError('uniqueness', `"${userName}" and its e-mail address belong to two different users.`);
  }
  if (first !== undefined && !isTheirAccount(first.value, [userName, ...(email === undefined ? [] : [email])])) {
    throw new ScimError(
      'uniqueness',
      `A user with the name of "${userName}" may be another person. Give them the e-mail address of this person first.`,
    );
  }
  return first;
}

/**
 * Tells whether an existing user is a person with some names. A common address shows it, as for a sign-on. A user name alone does not for
 * an Admin: an administrator of the directory could take over the account by giving somebody that name.
 */
function isTheirAccount({ username, email, rootRole }: User, names: readonly string[]): boolean {
  const own = [username, email].map((name) => name?.toLowerCase());
  const common = names.map((name) => name.toLowerCase()).filter((name) => own.includes(name));
  return common.some((name) => name.includes('@') || rootRole !== rootRoles.Admin);
}

/**
 * Ends the access of somebody who may have claimed the address of another person: roles by the directory are for its true owner.
 * @returns the user after that.
 */
async function withOwnAddress(request: Request, linked: Versioned<User>): Promise<Versioned<User>> {
  const { id } = linked.value;
  if (!(await isAddressClaimed(request, id))) return linked;
  await confirmAddress(request, id);
  return users.load(request, id);
}

/**
 * Changes a user.
 * @param revise returns the resource after the change.
 * @throws ApiError 404 for an unknown user; 409 for a name, address or external id in use; 400 for the last Admin, who cannot be
 * deactivated; 412 if `If-Match` does not match; and the errors of `revise`.
 */
export async function updateProvisionedUser(
  request: Request,
  scimId: string,
  revise: (resource: ScimResource) => ScimResource,
): Promise<Versioned<StoredResource>> {
  const result = await change(request, directoryActor, {
    of: [users.keyOf(parseScimId(userKind, scimId) ?? 0)],
    read: async () => {
      const before = await loadManagedUser(request, scimId);
      const person = readPerson(revise({ ...resourceOf(before.value) }));
      const [ending, links] = await Promise.all([
        loadEnding(request, before, person),
        loadLinkRemoval(request, before.value, person),
      ]);
      return { before, person, ending: ending ?? links };
    },
    revisionOf: ({ before }) => before,
    decide: ({ before, person, ending }, at) => {
      const active = person.active ?? !before.value.isDeactivated;
      return buildUpdate(before, withPerson(before.value, { ...person, active }, at), ending);
    },
  });
  forgetUser(request, result.value.id);
  return result;
}

/** Loads the end of links for choosing a password, which may have been mailed to an address that the user loses. */
async function loadLinkRemoval(request: Request, user: User, person: PersonResource): Promise<Effects> {
  if (namesOf(person, user).email === user.email) return noEffects;
  return { writes: buildLinkRemoval(user.id, await loadRecord(request, user.id)), events: [] };
}

function buildUpdate(before: Versioned<User>, after: User, ending: Effects = noEffects) {
  const effects = mergeEffects([ending, users.updateEffects(before, after)]);
  const { version } = versionAfter(before, effects);
  return { ...effects, result: { value: viewOf({ value: after, version }), version } };
}

/**
 * Loads the effects of the end of a user's access; undefined if they stay active, or were not active before.
 * @throws ApiError 400 for the last Admin.
 */
export async function loadEnding(
  request: Request,
  { value: user }: Versioned<User>,
  { active }: { readonly active?: boolean },
): Promise<Effects | undefined> {
  if (user.isDeactivated || active !== false) return undefined;
  const [ending, otherAdmin] = await Promise.all([
    buildAccessEnd(request, directoryActor, user.id),
    loadOtherAdminCheck(request, user),
  ]);
  return mergeEffects([{ writes: otherAdmin, events: [] }, ending]);
}

const externalId = v.pipe(v.string(), v.minLength(1), v.maxLength(250));

/** @throws ApiError 400 for an external id that is too long. */
function readPerson(resource: ScimResource): PersonResource {
  const person = resource as unknown as PersonResource;
  if (person.externalId !== undefined) requireValid(object({ externalId }), { externalId: person.externalId });
  return { ...person, userName: person.userName.trim() };
}

/**
 * Returns the names of a user from the attributes of a person.
 * @throws ApiError 400 for an invalid one.
 */
function namesOf({ userName, emails = [], displayName, name = {} }: PersonResource, user: User | undefined) {
  const address = (emails.find(({ primary }) => primary) ?? emails[0])?.value;
  const email = address ?? (v.is(emailAddress, userName) ? userName : undefined);
  const isAddress = email !== undefined && isSameSignInName(userName, email);
  // A user who existed before keeps their user name beside the address.
  const isOwnName = user?.username !== undefined && user.username !== user.provisioned?.userName;
  const full = displayName ?? name.formatted ?? [name.givenName, name.familyName].filter(Boolean).join(' ');
  if (address !== undefined) requireValid(object({ emails: emailAddress }), { emails: address });
  if (!isAddress) requireValid(object({ userName: username }), { userName });
  return {
    email,
    username: isAddress ? (isOwnName ? user.username : undefined) : userName,
    name:
      full.trim() === ''
        ? user?.name
        : requireValid(object({ displayName: personName }), { displayName: full }).displayName,
  };
}

/** Returns a user with the attributes of a person. The time of the change stays if nothing changes. */
function withPerson(user: User, person: PersonResource, at: string): User {
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
