import { forLaterPhases } from '../entity/phases.ts';
import { ignoreNotFound } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import { rootRoles } from '../identity/permissions.ts';
import { tokens } from '../identity/tokens/tokens.ts';
import { type User, users } from '../identity/users.ts';
import {
  createUserWith,
  deleteUser,
  requireFreeNames,
  type UserFields,
  updateUser,
} from '../people/administer-users.ts';
import type { Request } from '../request.ts';
import { readItems } from '../store/read.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import { isUnexpired } from '../values/time.ts';
import * as signInKeys from './keys.ts';
import { withHashingPlace } from './passwords/hashing-places.ts';
import { firstLinkMaker } from './passwords/links.ts';
import { hashPassword } from './passwords/password-hash.ts';
import { assertStrong } from './passwords/password-rules.ts';
import { accountOf } from './passwords/passwords.ts';
import { linksEnded, loadRecord, recordChanged, type SignInRecord } from './passwords/records.ts';
import { allSessionsEnded, listSessions } from './sessions.ts';

/** User who was created, with the secret of the link for choosing a password. */
export interface CreatedUser {
  readonly user: User;
  readonly link: string;
}

/**
 * Creates a user who can sign in: by the password, or once they have chosen one by the link.
 * @throws ApiError 400 for a weak password; and as `createUser` and `withHashingPlace`.
 */
export async function createUserWhoSignsIn(
  request: Request,
  actor: Actor,
  fields: UserFields,
  password: string | undefined,
): Promise<Versioned<CreatedUser>> {
  const passwordHash = password === undefined ? undefined : await hashOfNew(request, actor, fields, password);
  const linkOf = firstLinkMaker();
  return createUserWith(request, actor, fields, (user) => {
    const { secret, kept } = linkOf(user.id);
    const record = { ...kept, ...(passwordHash && { passwordHash, passwordChangedAt: user.createdAt }) };
    return { writes: [recordChanged(user.id, { version: 0 }, record)], value: { user, link: secret } };
  });
}

/** Hashes the password of a user who could be created. */
async function hashOfNew(request: Request, actor: Actor, fields: UserFields, password: string): Promise<string> {
  assertStrong(password);
  return withHashingPlace(accountOf(actor), async () => {
    await requireFreeNames(request, fields);
    return hashPassword(request, password);
  });
}

/**
 * Changes a user. With another e-mail address, the links end by which they may choose a password: these may have been mailed
 * to the one before, which may be somebody else's.
 * @throws ApiError as `updateUser`.
 */
export function updateUserWhoSignsIn(request: Request, actor: Actor, id: number, fields: UserFields) {
  return updateUser(request, actor, id, fields, async () => {
    const record = await loadRecord(request, id);
    return (before, after) => (before.email === after.email ? [] : linksEnded(id, record));
  });
}

/**
 * Deletes a user with their sessions, their password and their tokens; processes that have seen them lately trust them
 * for a few seconds more (see `identityTrustMs`).
 * @throws ApiError 404 for an unknown user; 400 if nobody would be an Admin; 412 by `If-Match`.
 */
export function deleteUserWhoSignsIn(request: Request, actor: Actor, id: number): Promise<void> {
  return deleteUser(request, actor, id, async () => [
    { remove: signInKeys.signIn(id) },
    { remove: signInKeys.claimedAddress(id) },
    ...(await allSessionsEnded(request, id)),
  ]);
}

/** A user is inactive after so long without a sign-in: Unleash's 180 days. */
const inactiveAfterMs = 180 * 24 * 60 * 60 * 1000;

/**
 * Lists the users who have not signed in for 180 days and have neither a valid personal access token, since reads with such
 * a token are not recorded, nor a session, which goes on for as long as it is used.
 */
export async function listInactive(request: Request): Promise<User[]> {
  const now = Date.now();
  const [all, ofAll] = await Promise.all([users.list(request), tokens.list(request)]);
  const isGood = (expiresAt: string | undefined) => expiresAt === undefined || Date.parse(expiresAt) > now;
  const holders = new Set(ofAll.filter(({ expiresAt }) => isGood(expiresAt)).map(({ userId }) => userId));
  const unseen = all.filter(
    ({ id, createdAt, seenAt = createdAt }) => !holders.has(id) && now - Date.parse(seenAt) > inactiveAfterMs,
  );
  const sessions = await Promise.all(unseen.map(({ id }) => request.store.limiter(() => listSessions(request, id))));
  return unseen.filter((_, index) => sessions[index]?.some(isUnexpired) !== true);
}

/**
 * Deletes users, each in a transaction of its own; those who are gone already are left out, so that it completes when
 * it is sent again, and so is who asks for it.
 * @throws ApiError 400 if nobody would be an Admin; those before them are deleted.
 */
export async function deleteUsers(request: Request, actor: Actor, ids: readonly number[]): Promise<void> {
  const others = ids.filter((id) => id !== actor.id);
  const found = await users.some(request, others);
  // What the request results in is known only after the last of them.
  const each = forLaterPhases(request);
  for (const id of found.keys()) await ignoreNotFound(deleteUserWhoSignsIn(each, actor, id));
}

/** Counts the Admins, by whether they have a password. */
export async function countAdmins(
  request: Request,
): Promise<{ readonly password: number; readonly noPassword: number; readonly service: number }> {
  const admins = (await users.list(request)).filter(({ rootRole }) => rootRole === rootRoles.Admin);
  const records = await Promise.all(admins.map(({ id }) => loadRecord(request, id)));
  const password = records.filter(({ passwordHash }) => passwordHash !== undefined).length;
  return { password, noPassword: admins.length - password, service: 0 };
}

/** Tells whether any user has a password chosen by somebody, other than the one that the first start generated. */
export async function hasChosenPassword(request: Request): Promise<boolean> {
  const all = await users.list(request);
  const kept = all.map(({ id }) => signInKeys.signIn(id));
  const records = await readItems<SignInRecord>(request, kept);
  return records.some((record) => record?.passwordHash !== undefined && record.isMadeUp !== true);
}
