import { type Effects, mergeEffects } from '../entity/effects.ts';
import { forLaterPhases } from '../entity/phases.ts';
import { ignoreNotFound } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import { rootRoles } from '../identity/permissions.ts';
import { buildTokenRemoval, loadTokensOfUser, removeTokens, tokens } from '../identity/tokens/tokens.ts';
import { type User, users } from '../identity/users.ts';
import {
  createUserWith,
  deleteUser,
  requireFreeNames,
  type UserFields,
  updateUser,
} from '../people/administer-users.ts';
import { deleteManaged } from '../people/delete-managed.ts';
import { loadScimLocks } from '../people/scim-locks.ts';
import type { Request } from '../request.ts';
import { readItems } from '../store/read.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import { isUnexpired } from '../values/time.ts';
import * as signInKeys from './keys.ts';
import { withHashingSlot } from './passwords/hashing-slots.ts';
import { createFirstLinkMaker } from './passwords/links.ts';
import { hashPassword } from './passwords/password-hash.ts';
import { assertStrong } from './passwords/password-rules.ts';
import { accountOf } from './passwords/passwords.ts';
import { buildLinkRemoval, buildRecordChange, loadRecord, type SignInRecord } from './passwords/records.ts';
import { buildSessionRemovals, listSessions } from './sessions.ts';

/** A new user, with the secret of the link for choosing a password. */
export interface CreatedUser {
  readonly user: User;
  readonly link: string;
}

/**
 * Creates a user who can sign in: with the password, or after choosing one with the link.
 * @throws ApiError 400 for a weak password; and the errors of `createUser` and `withHashingSlot`.
 */
export async function createUserWhoSignsIn(
  request: Request,
  actor: Actor,
  fields: UserFields,
  password: string | undefined,
): Promise<Versioned<CreatedUser>> {
  const passwordHash = password === undefined ? undefined : await hashNewPassword(request, actor, fields, password);
  const makeLink = createFirstLinkMaker();
  return createUserWith(request, actor, fields, (user) => {
    const { secret, stored } = makeLink(user.id);
    const record = { ...stored, ...(passwordHash && { passwordHash, passwordChangedAt: user.createdAt }) };
    return { writes: [buildRecordChange(user.id, { version: 0 }, record)], value: { user, link: secret } };
  });
}

/** Hashes the password of a user, after a check that the user can be created. */
async function hashNewPassword(request: Request, actor: Actor, fields: UserFields, password: string): Promise<string> {
  assertStrong(password);
  return withHashingSlot(accountOf(actor), async () => {
    await requireFreeNames(request, fields);
    return hashPassword(request, password);
  });
}

/**
 * Updates a user. If the e-mail address changes, links for choosing a password become invalid, since they may have been mailed to the
 * previous address, which may belong to somebody else.
 * @throws ApiError as `updateUser`, and 403 if a directory decides about what would change.
 */
export function updateUserWhoSignsIn(request: Request, actor: Actor, id: number, fields: UserFields) {
  return updateUser(request, actor, id, fields, async () => {
    const [record, { assertMayUpdate }] = await Promise.all([loadRecord(request, id), loadScimLocks(request)]);
    return (before, after) => {
      assertMayUpdate(before, after);
      return before.email === after.email ? [] : buildLinkRemoval(id, record);
    };
  });
}

/**
 * Deletes a user with their sessions, password and tokens. Processes that used these recently accept them for a few more seconds (see
 * `identityTrustMs`).
 * @throws ApiError 404 for an unknown user; 400 if there would be no Admin; 412 for `If-Match`.
 */
export function deleteUserWhoSignsIn(request: Request, actor: Actor, id: number): Promise<void> {
  return deleteUser(request, actor, id, async () => [
    { remove: signInKeys.signIn(id) },
    { remove: signInKeys.claimedAddress(id) },
    ...(await buildSessionRemovals(request, id)),
  ]);
}

/** The number of tokens that end in one transaction, with an event each. Further ones end before it. */
const tokensAtOnce = 20;

/**
 * Returns the effects that end the sessions, tokens and links of a user who remains. Those that do not fit into one transaction are
 * ended at once, since the caller wants them to end anyway. Processes that used these recently accept them for a few more seconds (see
 * `identityTrustMs`).
 */
export async function buildAccessEnd(request: Request, actor: Actor, id: number): Promise<Effects> {
  const [tokensOfUser, record, sessionRemovals] = await Promise.all([
    loadTokensOfUser(request, id),
    loadRecord(request, id),
    buildSessionRemovals(request, id),
  ]);
  await removeTokens(forLaterPhases(request), actor, tokensOfUser.slice(tokensAtOnce));
  return mergeEffects([
    { writes: [...sessionRemovals, ...buildLinkRemoval(id, record)], events: [] },
    ...tokensOfUser.slice(0, tokensAtOnce).map(buildTokenRemoval),
  ]);
}

/** The time without a sign-in after which a user is inactive: Unleash's 180 days. */
const inactiveAfterMs = 180 * 24 * 60 * 60 * 1000;

/**
 * Lists the users who have not signed in for 180 days, and have no valid personal access token, since reads with such a token are not
 * recorded, and no session, which lasts as long as it is used.
 */
export async function listInactive(request: Request): Promise<User[]> {
  const now = Date.now();
  const [all, allTokens] = await Promise.all([users.list(request), tokens.list(request)]);
  const isValid = (expiresAt: string | undefined) => expiresAt === undefined || Date.parse(expiresAt) > now;
  const holders = new Set(allTokens.filter(({ expiresAt }) => isValid(expiresAt)).map(({ userId }) => userId));
  const unseen = all.filter(
    ({ id, createdAt, seenAt = createdAt }) => !holders.has(id) && now - Date.parse(seenAt) > inactiveAfterMs,
  );
  const sessions = await Promise.all(unseen.map(({ id }) => request.store.limiter(() => listSessions(request, id))));
  return unseen.filter((_, index) => sessions[index]?.some(isUnexpired) !== true);
}

/**
 * Deletes users, each in a transaction of its own. The caller and users who no longer exist are skipped, so that the request can be
 * repeated to complete it.
 * @throws ApiError 400 if there would be no Admin. The users before that one are deleted.
 */
export async function deleteUsers(request: Request, actor: Actor, ids: readonly number[]): Promise<void> {
  const others = ids.filter((id) => id !== actor.id);
  const existing = await users.findSome(request, others);
  // The result of the request is known only after the last deletion.
  const phaseRequest = forLaterPhases(request);
  for (const id of existing.keys()) await ignoreNotFound(deleteUserWhoSignsIn(phaseRequest, actor, id));
}

/**
 * Deletes the users whom a directory manages, except the caller and the last Admin.
 * @throws ApiError 503 if some remain, so that the same request goes on.
 */
export async function deleteManagedUsers(request: Request, actor: Actor): Promise<void> {
  const managed = (await users.list(request)).filter(({ id, scimId }) => scimId !== undefined && id !== actor.id);
  await deleteManaged(request, actor, {
    ids: managed.map(({ id }) => id),
    remove: (step, id) => deleteUserWhoSignsIn(step, actor, id),
    event: 'scim-users-deleted',
  });
}

/** Counts the active Admins with and without a password. */
export async function countAdmins(
  request: Request,
): Promise<{ readonly password: number; readonly noPassword: number; readonly service: number }> {
  const admins = (await users.list(request)).filter(
    ({ rootRole, isDeactivated }) => rootRole === rootRoles.Admin && !isDeactivated,
  );
  const records = await Promise.all(admins.map(({ id }) => loadRecord(request, id)));
  const password = records.filter(({ passwordHash }) => passwordHash !== undefined).length;
  return { password, noPassword: admins.length - password, service: 0 };
}

/** Returns true if any user has a password that somebody has chosen, other than the generated one of the first start. */
export async function hasChosenPassword(request: Request): Promise<boolean> {
  const all = await users.list(request);
  const recordKeys = all.map(({ id }) => signInKeys.signIn(id));
  const records = await readItems<SignInRecord>(request, recordKeys);
  return records.some((record) => record?.passwordHash !== undefined && record.isMadeUp !== true);
}
