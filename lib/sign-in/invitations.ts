import { randomBytes } from 'node:crypto';
import { codec } from '../entity/codec.ts';
import { entity } from '../entity/entity.ts';
import { ApiError, invalid } from '../errors.ts';
import { type Actor, systemUser } from '../events/actor.ts';
import { awaitInOrder } from '../helpers/await-in-order.ts';
import { rootRoles } from '../identity/permissions.ts';
import { builtInRoleViews } from '../identity/roles.ts';
import { isSameSignInName, type User, users } from '../identity/users.ts';
import { createUserWith, requireFreeNames, type UserFields } from '../people/administer-users.ts';
import type { Request } from '../request.ts';
import type { Key } from '../store/client/definition.ts';
import { queryAll } from '../store/read.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import { giveBackAttempt, networkOf, takeAttempt } from './attempts.ts';
import * as signInKeys from './keys.ts';
import { buildAddressClaim } from './own-address.ts';
import { withHashingSlot } from './passwords/hashing-slots.ts';
import { hashPassword } from './passwords/password-hash.ts';
import { assertStrong } from './passwords/password-rules.ts';
import { buildRecordChange } from './passwords/records.ts';
import type { SignupToken } from './sign-in-schema.ts';

/** A link with which people sign up as Viewers. Users who may invite see it in the list. */
export type Invitation = Omit<SignupToken, 'url' | 'users' | 'role'>;

const invitations = entity<Invitation, string>({
  kind: 'invitation',
  idOf: ({ secret }) => secret,
  partition: { pk: 'INVITATIONS', prefix: 'LINK#' },
  codec: codec<Invitation>({}),
  freeIds: true,
  max: 100,
  // Invitations cannot be deleted, so an expired or disabled one makes room.
  toReplace: (all) =>
    all.filter(({ value }) => !isOpen(value)).toSorted((a, b) => a.value.expiresAt.localeCompare(b.value.expiresAt))[0],
  events: { created: 'public-signup-token-created', updated: 'public-signup-token-updated' },
  // Many users may read events, so they do not contain the secret.
  eventData: ({ secret: _, ...invitation }) => invitation,
});

/** A user who accepted an invitation. */
interface InvitedItem extends Key {
  readonly userId: number;
}

/** Lists all invitations in the form of the API, with the users who accepted them. */
export async function listInvitations(request: Request, origin: string | undefined): Promise<SignupToken[]> {
  const [items, all] = await Promise.all([queryAll<Key>(request, signInKeys.invitations()), users.list(request)]);
  return invitations
    .decodeAmong(request, items)
    .toSorted((a, b) => a.createdAt.localeCompare(b.createdAt))
    .map((invitation) => viewOf(invitation, findInvited(invitation.secret, items as InvitedItem[], all), origin));
}

/**
 * Returns an invitation in the form of the API.
 * @throws ApiError 404 for an unknown secret.
 */
export async function showInvitation(
  request: Request,
  secret: string,
  origin: string | undefined,
): Promise<Versioned<SignupToken>> {
  const [{ value, version }, items, all] = await Promise.all([
    invitations.load(request, secret),
    queryAll<InvitedItem>(request, signInKeys.invitations()),
    users.list(request),
  ]);
  return { value: viewOf(value, findInvited(secret, items, all), origin), version, shown: true };
}

/**
 * Creates an invitation.
 * @throws ApiError 400 if the expiry is in the past, or there are 100 valid invitations.
 */
export async function invite(
  request: Request,
  actor: Actor,
  { name, expiresAt }: Pick<Invitation, 'name' | 'expiresAt'>,
): Promise<Versioned<Invitation>> {
  assertFuture(expiresAt);
  const secret = randomBytes(16).toString('hex');
  return invitations.create(request, actor, (createdAt) => ({
    ...{ secret, name, expiresAt, createdAt },
    createdBy: actor.name,
    enabled: true,
  }));
}

/**
 * Changes the expiry of an invitation, or enables or disables it.
 * @throws ApiError 404 for an unknown secret.
 */
export async function updateInvitation(
  request: Request,
  actor: Actor,
  secret: string,
  changes: { readonly expiresAt?: string; readonly enabled?: boolean },
): Promise<Versioned<Invitation>> {
  return invitations.update(request, actor, secret, (before) => ({ ...before, ...changes }));
}

/**
 * Finds an invitation that can be accepted.
 * @throws ApiError 400 if it is unknown, expired or disabled.
 */
export async function requireOpen(request: Request, secret: string) {
  const invitation = await invitations.find(request, secret);
  if (invitation === undefined || !isOpen(invitation.value)) {
    throw invalid('This invitation is not valid; ask for a new one.');
  }
  return invitation;
}

function isOpen({ enabled, expiresAt }: Invitation): boolean {
  return enabled && Date.parse(expiresAt) > Date.now();
}

/** A person who signs up, with the data that they entered. */
type Guest = UserFields & { readonly password: string };

/**
 * Creates the user of a person who accepts an invitation, with the password that they chose.
 * @param address the address of the caller.
 * @throws ApiError 400 for an invalid invitation, a weak password, or a user name that is the address of another person; 409 if the
 * name or the address is in use; 429 after too many recent attempts; and the errors of `withHashingSlot`.
 */
export async function acceptInvitation(
  request: Request,
  secret: string,
  guest: Guest,
  address: string,
): Promise<Versioned<User>> {
  assertOwnName(guest);
  assertStrong(guest.password);
  return withHashingSlot(networkOf(address), async () => {
    const [{ version }] = await awaitInOrder([
      requireOpen(request, secret),
      takeAttempt(request, { address }),
      requireFreeNames(request, guest),
    ]);
    const user = await addGuest(request, secret, version, guest);
    await giveBackAttempt(request, { address });
    return user;
  });
}

async function addGuest(request: Request, secret: string, version: number, { password, ...fields }: Guest) {
  const passwordHash = await hashPassword(request, password);
  return createUserWith(request, systemUser, { ...fields, rootRole: rootRoles.Viewer }, (user) => ({
    writes: [
      { check: invitations.keyOf(secret), when: { version }, otherwise: changed },
      { put: signInKeys.invited(secret, user.id), item: { userId: user.id }, when: 'absent' },
      buildRecordChange(user.id, { version: 0 }, { passwordHash, passwordChangedAt: user.createdAt }),
      buildAddressClaim(user.id),
    ],
    events: [{ type: 'public-signup-token-user-added', data: { userId: user.id } }],
    value: user,
  }));
}

/**
 * Refuses a user name that is an address other than the user's own. Single sign-on finds a user by an address that is their name, and
 * creates no user if another one has the address in compatible letters, such as full-width ones.
 */
function assertOwnName({ username = '', email = '' }: UserFields): void {
  if (username.normalize('NFKC').includes('@') && !isSameSignInName(username, email)) {
    throw invalid('A user name that is an address must be your own e-mail address.', 'username');
  }
}

function changed(): ApiError {
  return new ApiError('ConflictError', 'Another request changed the invitation; try again.');
}

function assertFuture(expiresAt: string): void {
  if (Date.parse(expiresAt) <= Date.now()) throw invalid('An invitation must expire in the future.', 'expiresAt');
}

function findInvited(secret: string, items: readonly InvitedItem[], all: readonly User[]): User[] {
  const prefix = signInKeys.invited(secret, 0).sk.replace(/\d+$/, '');
  const ids = new Set(items.filter(({ sk }) => sk.startsWith(prefix)).map(({ userId }) => userId));
  return all.filter(({ id }) => ids.has(id));
}

/** Returns an invitation in the form of the API, with the URL of its link and the users who accepted it. */
export function viewOf(invitation: Invitation, invited: readonly User[], origin = ''): SignupToken {
  return {
    ...invitation,
    url: `${origin}/new-user?invite=${invitation.secret}`,
    users: invited.map(({ id, name, username }) => ({ id, ...(name && { name }), ...(username && { username }) })),
    role: viewer,
  };
}

const viewer = builtInRoleViews.find(({ id }) => id === rootRoles.Viewer) as (typeof builtInRoleViews)[number];
