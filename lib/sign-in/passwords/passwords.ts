import { change } from '../../entity/change.ts';
import { type Effects, mergeEffects, noEffects } from '../../entity/effects.ts';
import { ApiError, invalid } from '../../errors.ts';
import type { Actor } from '../../events/actor.ts';
import type { NewEvent } from '../../events/event.ts';
import { type User, users } from '../../identity/users.ts';
import { loadScimLocks } from '../../people/scim-locks.ts';
import type { Request } from '../../request.ts';
import type { Write } from '../../store/transactions/write.ts';
import { attemptsOf, takeAttempt } from '../attempts.ts';
import * as signInKeys from '../keys.ts';
import { buildSessionRemovals } from '../sessions.ts';
import { withHashingSlot } from './hashing-slots.ts';
import { hashPassword, matchesPassword } from './password-hash.ts';
import { assertStrong } from './password-rules.ts';
import { buildRecordChange, loadRecord, type SignInRecord, type StoredRecord } from './records.ts';

interface PasswordOptions {
  /** The cookie of a session that does not end. */
  readonly keptSession?: string | undefined;
  /**
   * Returns true if the reason for the change still applies. Otherwise nothing is changed.
   * @throws ApiError to refuse the request instead.
   */
  readonly isWanted?: (record: StoredRecord) => boolean;
  /** True if the password was generated. */
  readonly isMadeUp?: boolean;
  /** Further writes in the same transaction. */
  readonly writes?: readonly Write[];
  /** Further effects in the same transaction, which depend on the record. */
  readonly loadEffects?: (record: StoredRecord) => Promise<Effects>;
}

/**
 * Sets the password of a user, and ends their sessions.
 * @throws ApiError 400 for a weak password; 404 for an unknown user; and the errors of `isWanted`.
 */
export function setPassword(
  request: Request,
  actor: Actor,
  userId: number,
  password: string,
  options: PasswordOptions = {},
) {
  assertStrong(password);
  return replacePassword(request, actor, userId, password, options);
}

/**
 * Sets the password that an administrator has chosen for a user.
 * @param keptSession the cookie of a session that does not end.
 * @throws ApiError as `setPassword` and `withHashingSlot`, and 403 if a directory manages the user.
 */
export async function changeUserPassword(
  request: Request,
  actor: Actor,
  userId: number,
  password: string,
  keptSession: string | undefined,
): Promise<void> {
  assertStrong(password);
  await withHashingSlot(accountOf(actor), async () => {
    const [{ value: user }, { assertMayGetPassword }] = await Promise.all([
      users.load(request, userId),
      loadScimLocks(request),
    ]);
    assertMayGetPassword(user);
    await setPassword(request, actor, userId, password, { keptSession });
  });
}

/** Returns the name of an account for `withHashingSlot`. */
export function accountOf({ id, name }: Actor): string {
  return `account ${id} ${name}`;
}

/**
 * Sets a password like `setPassword`, but an operator of the service may choose a weak one. A new password removes a lock of the sign-in,
 * and invalidates links for choosing one.
 */
export async function replacePassword(
  request: Request,
  actor: Actor,
  userId: number,
  password: string,
  {
    keptSession,
    isWanted,
    isMadeUp = false,
    writes: furtherWrites = [],
    loadEffects = async () => noEffects,
  }: PasswordOptions = {},
): Promise<void> {
  const passwordHash = await hashPassword(request, password);
  await change(request, actor, {
    items: [signInKeys.signIn(userId)],
    read: async () => {
      const [record, { value: user }] = await Promise.all([loadRecord(request, userId), users.load(request, userId)]);
      // Sessions are read after the record, which every sign-in changes, so that no new session is missed.
      const [sessionRemovals, effects] = await Promise.all([
        buildSessionRemovals(request, userId, keptSession),
        loadEffects(record),
      ]);
      return { record, user, sessionRemovals, effects };
    },
    revisionOf: () => undefined,
    decide: ({ record, user, sessionRemovals, effects }, at) => {
      if (isWanted?.(record) === false) return { ...noEffects, result: undefined };
      const names = [user.username, user.email].filter((name) => name !== undefined);
      const writes: Write[] = [
        buildRecordChange(userId, record, { passwordHash, passwordChangedAt: at, ...(isMadeUp && { isMadeUp }) }),
        { check: users.keyOf(userId), when: 'present' },
        ...sessionRemovals,
        ...names.map((name): Write => ({ remove: attemptsOf(name) })),
        ...furtherWrites,
      ];
      return {
        ...mergeEffects([{ writes, events: [buildPasswordEvent(user, record, at)] }, effects]),
        result: undefined,
      };
    },
  });
}

/**
 * Returns the event of a changed password. Unleash has no event for it; that of an updated user says that something changed, but not
 * how.
 * @param at undefined if the user no longer has a password.
 */
export function buildPasswordEvent(user: User, { passwordChangedAt }: SignInRecord, at: string | undefined): NewEvent {
  const { id, username = null, name = null, email = null } = user;
  const shown = { id, username, name, email };
  return {
    type: 'user-updated',
    data: { ...shown, passwordChangedAt: at ?? null },
    preData: { ...shown, passwordChangedAt: passwordChangedAt ?? null },
  };
}

/**
 * Changes the caller's password, and ends their other sessions.
 * @throws ApiError 400 for a weak password or the current one; 401 if the old password is wrong; 403 if the caller is not a user; 429
 * after too many recent attempts; and the errors of `withHashingSlot`.
 */
export async function changeOwnPassword(
  request: Request,
  actor: Actor,
  { oldPassword, password }: { readonly oldPassword: string; readonly password: string },
  { address, session }: { readonly address: string; readonly session: string | undefined },
): Promise<void> {
  if (actor.id <= 0) throw new ApiError('NoAccessError', 'An admin token belongs to no user, so it has no password.');
  assertStrong(password);
  if (password === oldPassword) throw invalid('The new password must not be the old one.', 'password');
  // Otherwise somebody could guess the password in a browser that was left signed in.
  const attempt = { name: String(actor.id), to: 'change it', address } as const;
  await withHashingSlot(accountOf(actor), async () => {
    const [{ passwordHash }] = await Promise.all([loadRecord(request, actor.id), takeAttempt(request, attempt)]);
    if (!(await matchesPassword(request, oldPassword, passwordHash))) throw wrongPassword();
    await setPassword(request, actor, actor.id, password, {
      keptSession: session,
      isWanted(record) {
        if (record.passwordHash !== passwordHash) throw wrongPassword();
        return true;
      },
      writes: [{ remove: attemptsOf(attempt.name, attempt.to) }],
    });
  });
}

function wrongPassword(): ApiError {
  return new ApiError('AuthenticationRequired', 'The old password is wrong.');
}
