import { createCipheriv, createHmac, randomBytes } from 'node:crypto';
import { forLaterPhases } from '../entity/phases.ts';
import { forget, remember } from '../identity/identity-memory.ts';
import type { Request } from '../request.ts';
import type { Key } from '../store/client/definition.ts';
import { queryAll, readItem } from '../store/read.ts';
import type { RightsCondition } from '../store/transactions/authority.ts';
import { touch } from '../store/transactions/touch.ts';
import { transact } from '../store/transactions/transact.ts';
import type { Write } from '../store/transactions/write.ts';
import { sha256 } from '../values/sha256.ts';
import { computeExpiry, isUnexpired } from '../values/time.ts';
import * as signInKeys from './keys.ts';

/** Lifetime of an unused session: two days. */
export const sessionSeconds = 48 * 60 * 60;
/** Age at which a session in use is prolonged. */
const prolongedAfterSeconds = 60 * 60;
/** Most time that a caller waits for that. */
const patienceMs = 500;
/** Most sessions of a user; a further one ends the oldest. */
export const sessionsMax = 20;
/** Most sessions ended in the transaction that requires it. */
const endedAtOnce = 40;

/** Report about a sign-in, which the admin UI shows as long as the session lasts. */
export interface SignInReport {
  readonly activeSessions: number;
  readonly deletedSessions: number;
  /** Time of the sign-in before; null for the first one. */
  readonly seenAt: string | null;
}

/** A user who has signed in with a browser. */
export interface Session {
  /** The hash of their cookie, which gives no access. */
  readonly hash: string;
  readonly userId: number;
  readonly createdAt: string;
  /** Time at which the session ends, and the store may delete it. */
  readonly expiresAtSeconds: number;
  /** URL at the identity provider of the user to send the browser to after signing out, encrypted by `ciphered`. */
  readonly signOutUrl?: string;
  /** Settings of the identity provider that its user came from; see `proofOf`. */
  readonly signedOnBy?: string;
  /** Report about the sign-in. */
  readonly report: SignInReport;
}

/** Part of a sign-on at an identity provider that the session keeps. */
export type SignOn = Pick<Session, 'signOutUrl' | 'signedOnBy'>;

/** Session as it is stored: the report is JSON. */
type SessionItem = Key & Omit<Session, 'hash' | 'report'> & { readonly report: string };

/** Format of the cookie: a user id, and 256 random bits. */
const form = /^([1-9]\d{0,15})\.[\w-]{43}$/;

const memoryIdOf = (hash: string) => `session ${hash}`;

/** Makes a new session: the content of its cookie, and its write. */
export function newSession(
  userId: number,
  createdAt: string,
  report: SignInReport,
  signOn: SignOn = {},
): { readonly secret: string; readonly write: Write } {
  const secret = `${userId}.${randomBytes(32).toString('base64url')}`;
  const expiresAtSeconds = computeExpiry(sessionSeconds);
  const item = { userId, createdAt, expiresAtSeconds, report: JSON.stringify(report), ...signOn };
  if (signOn.signOutUrl) item.signOutUrl = ciphered(Buffer.from(signOn.signOutUrl), secret).toString('base64');
  return { secret, write: { put: signInKeys.session(userId, sha256(secret)), item, when: 'absent' } };
}

/**
 * Encrypts or decrypts bytes with a key derived from the secret of a session, which only its browser has: an address for signing
 * out contains a token of the identity provider. A key encrypts one text, so that it needs no nonce.
 */
function ciphered(bytes: Buffer, secret: string): Buffer {
  const key = createHmac('sha256', secret).update('sign-out').digest();
  return createCipheriv('aes-256-ctr', key, Buffer.alloc(16)).update(bytes);
}

/** Finds the session of a cookie, unless it has ended. */
export async function findSession(request: Request, secret: string): Promise<Session | undefined> {
  const userId = userIdIn(secret);
  if (userId === undefined) return undefined;
  const hash = sha256(secret);
  const session = await remember(request, memoryIdOf(hash), async () => {
    const item = await readItem<SessionItem>(request, signInKeys.session(userId, hash));
    return item && sessionOf(item);
  });
  return session !== undefined && isUnexpired(session) ? session : undefined;
}

/**
 * Prolongs a session in use, if that is due. A failure to do so refuses no request.
 * @returns true if it was prolonged.
 */
export async function prolongSession(request: Request, { userId, hash, expiresAtSeconds }: Session): Promise<boolean> {
  const end = computeExpiry(sessionSeconds);
  if (end - expiresAtSeconds < prolongedAfterSeconds) return false;
  try {
    await touch(request, signInKeys.session(userId, hash), 'expiresAtSeconds', end, patienceMs);
  } catch {
    return false;
  }
  forget(request, memoryIdOf(hash));
  return true;
}

/** Lists all sessions of a user, the oldest first, including expired ones. */
export async function listSessions(request: Request, userId: number): Promise<Session[]> {
  const items = await queryAll<SessionItem>(request, signInKeys.sessions(userId));
  return items.map(sessionOf).toSorted((a, b) => a.createdAt.localeCompare(b.createdAt));
}

/**
 * Returns the write that ends a session; other processes may trust it for a few seconds more (see `identityTrustMs`).
 */
export function sessionEnded(request: Request, { userId, hash }: Pick<Session, 'userId' | 'hash'>): Write {
  forget(request, memoryIdOf(hash));
  return { remove: signInKeys.session(userId, hash) };
}

/**
 * Ends the session of a cookie, if there is one.
 * @returns the URL to send the browser to, if its user came from an identity provider.
 */
export async function endSession(
  request: Request,
  secret: string | undefined,
): Promise<{ readonly signOutUrl: string | undefined }> {
  const session = secret === undefined ? undefined : await findSession(request, secret);
  const result = { signOutUrl: session?.signOutUrl && signOutUrlIn(session.signOutUrl, String(secret)) };
  await transact(request, session === undefined ? [] : [sessionEnded(request, session)], result);
  return result;
}

function signOutUrlIn(stored: string, secret: string): string {
  // Sessions of earlier releases have it in plain text.
  return stored.includes(':') ? stored : ciphered(Buffer.from(stored, 'base64'), secret).toString();
}

/**
 * Returns the writes that end all sessions of a user. Those that do not fit into one transaction are ended at once,
 * since the caller wants them to end anyway.
 * @param kept cookie of the session that goes on.
 */
export async function allSessionsEnded(request: Request, userId: number, kept?: string): Promise<Write[]> {
  const keptHash = kept === undefined ? undefined : sha256(kept);
  const ending = (await listSessions(request, userId)).filter(({ hash }) => hash !== keptHash);
  for (let start = endedAtOnce; start < ending.length; start += endedAtOnce) {
    const some = ending.slice(start, start + endedAtOnce).map((session) => sessionEnded(request, session));
    // What the request results in is not known yet.
    await transact(forLaterPhases(request), some, undefined);
  }
  return ending.slice(0, endedAtOnce).map((session) => sessionEnded(request, session));
}

/** Returns the condition that a session has not been ended. */
export function sessionConditionOf({ userId, hash }: Pick<Session, 'userId' | 'hash'>): RightsCondition {
  return { check: signInKeys.session(userId, hash), when: 'present' };
}

/** Returns the identity of the session that a cookie names, whether or not it exists. */
export function parseSessionSecret(secret: string): Pick<Session, 'userId' | 'hash'> | undefined {
  const userId = userIdIn(secret);
  return userId === undefined ? undefined : { userId, hash: sha256(secret) };
}

function userIdIn(secret: string): number | undefined {
  const id = form.exec(secret)?.[1];
  return id === undefined ? undefined : Number(id);
}

function sessionOf({ pk: _, sk: hash, report, ...session }: SessionItem): Session {
  return { hash, ...session, report: JSON.parse(report) };
}
