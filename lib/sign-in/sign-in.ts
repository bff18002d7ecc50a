import { ApiError } from '../errors.ts';
import { type User, users } from '../identity/users.ts';
import type { Request } from '../request.ts';
import { retryLostRaces } from '../store/transactions/retry.ts';
import { touch } from '../store/transactions/touch.ts';
import { transact } from '../store/transactions/transact.ts';
import type { Write } from '../store/transactions/write.ts';
import { attemptsOf, giveBackAttempt, networkOf, takeAttempt } from './attempts.ts';
import { buildSignInWrite, recordRefusals } from './history.ts';
import * as signInKeys from './keys.ts';
import { withHashingSlot } from './passwords/hashing-slots.ts';
import { matchesPassword } from './passwords/password-hash.ts';
import { buildRecordUse, findUserId, loadRecord } from './passwords/records.ts';
import {
  buildSession,
  buildSessionRemoval,
  listSessions,
  maxSessions,
  parseSessionSecret,
  type Session,
  type SignOn,
} from './sessions.ts';
import { takesPasswords } from './ways.ts';

/** The user name or e-mail address, and the password. */
export interface Credentials {
  /** The user name or e-mail address. */
  readonly username: string;
  readonly password: string;
}

/** The browser that signs in. */
export interface Browser {
  readonly address: string;
  /** The cookie of an earlier session, which ends when the new one starts. */
  readonly session: string | undefined;
}

export interface SignedIn {
  readonly user: User;
  /** The cookie of the new session. */
  readonly session: string;
  readonly activeSessions: number;
  readonly deletedSessions: number;
}

/** The id for a user who does not exist. Checking their password takes the same time. */
const nobody = 0;

const maxWaitMs = 500;

/** The message for a deactivated user who has proved who they are. */
export const deactivatedMessage =
  'Your account is deactivated. Your organization can activate it again where it manages accounts.';

/**
 * Signs a user in with a password, in a new session.
 * @throws ApiError 401, with the same message and after the same work, for a wrong password, an unknown user, and a user without a
 * password; 403 if passwords are disabled or the user is deactivated; 429 after too many recent attempts; and the errors of `withHashingSlot`.
 */
export function signIn(request: Request, credentials: Credentials, browser: Browser): Promise<SignedIn> {
  const attempt = { way: 'simple', name: credentials.username, isTyped: true, address: browser.address } as const;
  return recordRefusals(request, attempt, () =>
    withHashingSlot(networkOf(browser.address), () => signInByPassword(request, credentials, browser)),
  );
}

async function signInByPassword(request: Request, { username, password }: Credentials, browser: Browser) {
  const attempt = { name: username, address: browser.address };
  const [userId = nobody, arePasswordsEnabled] = await Promise.all([
    findUserId(request, username),
    takesPasswords(request),
    takeAttempt(request, attempt),
  ]);
  if (!arePasswordsEnabled)
    throw new ApiError('NoAccessError', 'Password sign-in is disabled; use your identity provider.');
  const [stored, { passwordHash }, sessions] = await Promise.all([
    users.find(request, userId),
    loadRecord(request, userId),
    listSessions(request, userId),
  ]);
  const isCorrect = await matchesPassword(request, password, passwordHash);
  if (!isCorrect || passwordHash === undefined || stored === undefined) throw wrongCredentials();
  const user = stored.value;
  // The caller knows the password, so the message may tell what only the user should know.
  if (user.isDeactivated) throw new ApiError('NoAccessError', deactivatedMessage);
  const [signedIn] = await Promise.all([
    startSession(request, { user, sessions, browser, basis: buildRecordUse(userId, passwordHash, wrongCredentials) }, [
      { remove: attemptsOf(username) },
      buildSignInWrite({ way: 'simple', ...attempt }),
    ]),
    giveBackAttempt(request, attempt),
  ]);
  return signedIn;
}

/**
 * Starts a session of a user whom an identity provider has identified.
 * @param used the writes that use up the provider's answer and record the sign-in.
 * @param signOn the data of the sign-on that the session stores.
 */
export async function beginSession(
  request: Request,
  user: User,
  browser: Browser,
  { used, signOn }: { readonly used: readonly Write[]; readonly signOn: SignOn },
): Promise<SignedIn> {
  const sessions = await listSessions(request, user.id);
  // It makes a concurrent change that ends the user's sessions fail.
  const basis: Write = { add: signInKeys.signIn(user.id), amounts: { version: 1 } };
  return startSession(request, { user, sessions, browser, basis, signOn }, used);
}

interface Start {
  readonly user: User;
  readonly sessions: readonly Session[];
  readonly browser: Browser;
  /** The condition of the sign-in. */
  readonly basis: Write;
  readonly signOn?: SignOn;
}

/**
 * Starts a session of a user with a new secret. It ends the session of the browser's cookie, and the oldest ones if there are too many.
 */
async function startSession(
  request: Request,
  { user, sessions, browser, basis, signOn }: Start,
  furtherWrites: readonly Write[],
): Promise<SignedIn> {
  const at = new Date().toISOString();
  const earlier = browser.session === undefined ? undefined : parseSessionSecret(browser.session);
  const others = sessions.filter(({ hash }) => hash !== earlier?.hash);
  const surplus = others.slice(0, Math.max(0, others.length + 1 - maxSessions));
  const ending = [...(earlier === undefined ? [] : [earlier]), ...surplus.slice(0, maxSessions)];
  const counts = { activeSessions: others.length - surplus.length + 1, deletedSessions: surplus.length };
  const { secret, write } = buildSession(user.id, at, { ...counts, seenAt: user.seenAt ?? null }, signOn);
  const result: SignedIn = { user, session: secret, ...counts };
  const userExists: Write = { check: users.keyOf(user.id), when: 'present', otherwise: wrongCredentials };
  const writes = [
    ...[basis, userExists, write],
    ...ending.map((session) => buildSessionRemoval(request, session)),
    ...furtherWrites,
  ];
  await retryLostRaces(request, () => transact(request, writes, result));
  // Administrators see this time; nothing depends on it.
  await touch(request, users.keyOf(user.id), 'seenAt', at, maxWaitMs).catch(() => {});
  return result;
}

function wrongCredentials(): ApiError {
  return new ApiError('AuthenticationRequired', 'The user name or the password is wrong.');
}
