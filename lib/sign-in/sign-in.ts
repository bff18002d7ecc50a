import { ApiError } from '../errors.ts';
import { type User, users } from '../identity/users.ts';
import type { Request } from '../request.ts';
import { retryLostRaces } from '../store/transactions/retry.ts';
import { touch } from '../store/transactions/touch.ts';
import { transact } from '../store/transactions/transact.ts';
import type { Write } from '../store/transactions/write.ts';
import { attemptsOf, giveBackAttempt, networkOf, takeAttempt } from './attempts.ts';
import { findUserId } from './find-user.ts';
import { recordRefusals, signInWrite } from './history.ts';
import * as signInKeys from './keys.ts';
import { withHashingPlace } from './passwords/hashing-places.ts';
import { isPassword } from './passwords/password-hash.ts';
import { loadRecord, recordUsed } from './passwords/records.ts';
import {
  listSessions,
  newSession,
  parseSessionSecret,
  type Session,
  type SignOn,
  sessionEnded,
  sessionsMax,
} from './sessions.ts';
import { takesPasswords } from './ways.ts';

/** The credentials of a sign-in. */
export interface Credentials {
  /** A user name or an e-mail address. */
  readonly username: string;
  readonly password: string;
}

/** The browser that asks. */
export interface Browser {
  readonly address: string;
  /** Cookie of an earlier session, which ends when the new one begins. */
  readonly session: string | undefined;
}

export interface SignedIn {
  readonly user: User;
  /** Cookie of the new session. */
  readonly session: string;
  readonly activeSessions: number;
  readonly deletedSessions: number;
}

/** Id in place of a user who does not exist: checking its password takes as long. */
const nobody = 0;

const seenPatienceMs = 500;

/**
 * Signs a user in by their password, with a new session.
 * @throws ApiError 401, with the same message and after the same work, for a wrong password, an unknown user and one
 * without a password; 403 if passwords are switched off; 429 after too many attempts of late; and as `withHashingPlace`.
 */
export function signIn(request: Request, credentials: Credentials, browser: Browser): Promise<SignedIn> {
  const attempt = { way: 'simple', name: credentials.username, isTyped: true, address: browser.address } as const;
  return recordRefusals(request, attempt, () =>
    withHashingPlace(networkOf(browser.address), () => signInByPassword(request, credentials, browser)),
  );
}

async function signInByPassword(request: Request, { username, password }: Credentials, browser: Browser) {
  const attempt = { name: username, address: browser.address };
  const [userId = nobody, areTaken] = await Promise.all([
    findUserId(request, username),
    takesPasswords(request),
    takeAttempt(request, attempt),
  ]);
  if (!areTaken) throw new ApiError('NoAccessError', 'Password sign-in is disabled; use your identity provider.');
  const [found, { passwordHash }, sessions] = await Promise.all([
    users.find(request, userId),
    loadRecord(request, userId),
    listSessions(request, userId),
  ]);
  const isRight = await isPassword(request, password, passwordHash);
  if (!isRight || passwordHash === undefined || found === undefined) throw wrongCredentials();
  const user = found.value;
  const [started] = await Promise.all([
    startSession(request, { user, sessions, browser, basis: recordUsed(userId, passwordHash, wrongCredentials) }, [
      { remove: attemptsOf(username) },
      signInWrite({ way: 'simple', ...attempt }),
    ]),
    giveBackAttempt(request, attempt),
  ]);
  return started;
}

/**
 * Starts a session of a user for whom an identity provider vouches.
 * @param used writes that use up the provider's answer and record the sign-in.
 * @param signOn part of the sign-on that the session keeps.
 */
export async function beginSession(
  request: Request,
  user: User,
  browser: Browser,
  { used, signOn }: { readonly used: readonly Write[]; readonly signOn: SignOn },
): Promise<SignedIn> {
  const sessions = await listSessions(request, user.id);
  // Who ends their sessions at the same moment learns of it.
  const basis: Write = { add: signInKeys.signIn(user.id), amounts: { version: 1 } };
  return startSession(request, { user, sessions, browser, basis, signOn }, used);
}

interface Start {
  readonly user: User;
  readonly sessions: readonly Session[];
  readonly browser: Browser;
  /** Condition of the sign-in, which must still hold. */
  readonly basis: Write;
  readonly signOn?: SignOn;
}

/**
 * Starts a session of a user, always under a new secret. It ends the session of the browser's cookie, and the oldest if
 * there are too many.
 */
async function startSession(
  request: Request,
  { user, sessions, browser, basis, signOn }: Start,
  besides: readonly Write[],
): Promise<SignedIn> {
  const at = new Date().toISOString();
  const earlier = browser.session === undefined ? undefined : parseSessionSecret(browser.session);
  const kept = sessions.filter(({ hash }) => hash !== earlier?.hash);
  const surplus = kept.slice(0, Math.max(0, kept.length + 1 - sessionsMax));
  const ended = [...(earlier === undefined ? [] : [earlier]), ...surplus.slice(0, sessionsMax)];
  const counts = { activeSessions: kept.length - surplus.length + 1, deletedSessions: surplus.length };
  const { secret, write } = newSession(user.id, at, { ...counts, seenAt: user.seenAt ?? null }, signOn);
  const result: SignedIn = { user, session: secret, ...counts };
  const isThere: Write = { check: users.keyOf(user.id), when: 'present', otherwise: wrongCredentials };
  const writes = [basis, isThere, write, ...ended.map((session) => sessionEnded(request, session)), ...besides];
  await retryLostRaces(request, () => transact(request, writes, result));
  // It is shown to administrators, and nobody rests on it.
  await touch(request, users.keyOf(user.id), 'seenAt', at, seenPatienceMs).catch(() => {});
  return result;
}

function wrongCredentials(): ApiError {
  return new ApiError('AuthenticationRequired', 'The user name or the password is wrong.');
}
