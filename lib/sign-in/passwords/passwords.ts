import { change } from '../../entity/change.ts';
import { type Effects, mergeEffects, noEffects } from '../../entity/effects.ts';
import { ApiError, invalid } from '../../errors.ts';
import type { Actor } from '../../events/actor.ts';
import type { NewEvent } from '../../events/event.ts';
import { type User, users } from '../../identity/users.ts';
import type { Request } from '../../request.ts';
import type { Write } from '../../store/transactions/write.ts';
import { attemptsOf, takeAttempt } from '../attempts.ts';
import * as signInKeys from '../keys.ts';
import { allSessionsEnded } from '../sessions.ts';
import { withHashingPlace } from './hashing-places.ts';
import { hashPassword, isPassword } from './password-hash.ts';
import { assertStrong } from './password-rules.ts';
import { loadRecord, recordChanged, type SignInRecord, type StoredRecord } from './records.ts';

interface Storing {
  /** Cookie of the session that goes on. */
  readonly kept?: string | undefined;
  /**
   * Tells whether the reason for the change still holds; nothing is changed otherwise.
   * @throws ApiError to refuse the request instead.
   */
  readonly isWanted?: (record: StoredRecord) => boolean;
  /** True if the password was generated, and nobody chose it. */
  readonly isMadeUp?: boolean;
  /** Further writes of the same transaction. */
  readonly besides?: readonly Write[];
  /** Further effects in the same transaction, which rest on the record. */
  readonly also?: (record: StoredRecord) => Promise<Effects>;
}

/**
 * Gives a user a password and ends their sessions.
 * @throws ApiError 400 for a weak password; 404 for an unknown user; what `isWanted` throws.
 */
export function setPassword(request: Request, actor: Actor, userId: number, password: string, storing: Storing = {}) {
  assertStrong(password);
  return replacePassword(request, actor, userId, password, storing);
}

/**
 * Gives a user the password that an administrator has chosen for them.
 * @param kept cookie of the session that goes on.
 * @throws ApiError as `setPassword` and `withHashingPlace`.
 */
export async function changeUserPassword(
  request: Request,
  actor: Actor,
  userId: number,
  password: string,
  kept: string | undefined,
): Promise<void> {
  assertStrong(password);
  await withHashingPlace(accountOf(actor), async () => {
    await users.load(request, userId);
    await setPassword(request, actor, userId, password, { kept });
  });
}

/** Returns the name under which the requests of an account have places for hashing. */
export function accountOf({ id, name }: Actor): string {
  return `account ${id} ${name}`;
}

/**
 * Sets a password as `setPassword` does, for one chosen by somebody who runs the service: it may be weak. A new
 * password lifts a lock of the sign-in, and invalidates the link for choosing one.
 */
export async function replacePassword(
  request: Request,
  actor: Actor,
  userId: number,
  password: string,
  { kept, isWanted, isMadeUp = false, besides = [], also = async () => noEffects }: Storing = {},
): Promise<void> {
  const passwordHash = await hashPassword(request, password);
  await change(request, actor, {
    of: [signInKeys.signIn(userId)],
    read: async () => {
      const [record, { value: user }] = await Promise.all([loadRecord(request, userId), users.load(request, userId)]);
      // Read after the record, which every sign-in raises, so that no session begins unseen.
      const [ended, further] = await Promise.all([allSessionsEnded(request, userId, kept), also(record)]);
      return { record, user, ended, further };
    },
    revisionOf: () => undefined,
    decide: ({ record, user, ended, further }, at) => {
      if (isWanted?.(record) === false) return { ...noEffects, result: undefined };
      const names = [user.username, user.email].filter((each) => each !== undefined);
      const writes: Write[] = [
        recordChanged(userId, record, { passwordHash, passwordChangedAt: at, ...(isMadeUp && { isMadeUp }) }),
        { check: users.keyOf(userId), when: 'present' },
        ...ended,
        ...names.map((name): Write => ({ remove: attemptsOf(name) })),
        ...besides,
      ];
      return { ...mergeEffects([{ writes, events: [passwordChanged(user, record, at)] }, further]), result: undefined };
    },
  });
}

/**
 * Returns the event of a changed password. Unleash has none for it; that of a changed user says that something has
 * changed, but not how.
 * @param at undefined if they have no password any more.
 */
export function passwordChanged(user: User, { passwordChangedAt }: SignInRecord, at: string | undefined): NewEvent {
  const { id, username = null, name = null, email = null } = user;
  const shown = { id, username, name, email };
  return {
    type: 'user-updated',
    data: { ...shown, passwordChangedAt: at ?? null },
    preData: { ...shown, passwordChangedAt: passwordChangedAt ?? null },
  };
}

/**
 * Gives the caller another password and ends their other sessions.
 * @throws ApiError 400 for a weak password, or the one that they have; 401 if the old one is wrong; 403 if the
 * caller is no user; 429 if too many were tried of late; and as `withHashingPlace`.
 */
export async function changeOwnPassword(
  request: Request,
  actor: Actor,
  { oldPassword, password }: { readonly oldPassword: string; readonly password: string },
  { address, session }: { readonly address: string; readonly session: string | undefined },
): Promise<void> {
  if (actor.id <= 0) throw new ApiError('NoAccessError', 'Passwords belong to users; an admin token was sent.');
  assertStrong(password);
  if (password === oldPassword) throw invalid('The new password must not be the old one.', 'password');
  // The password must not be guessed in a browser that was left open.
  const attempt = { name: String(actor.id), to: 'change it', address } as const;
  await withHashingPlace(accountOf(actor), async () => {
    const [{ passwordHash }] = await Promise.all([loadRecord(request, actor.id), takeAttempt(request, attempt)]);
    if (!(await isPassword(request, oldPassword, passwordHash))) throw wrongPassword();
    await setPassword(request, actor, actor.id, password, {
      kept: session,
      isWanted(record) {
        if (record.passwordHash !== passwordHash) throw wrongPassword();
        return true;
      },
      besides: [{ remove: attemptsOf(attempt.name, attempt.to) }],
    });
  });
}

function wrongPassword(): ApiError {
  return new ApiError('AuthenticationRequired', 'The old password is wrong.');
}
