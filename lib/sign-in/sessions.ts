import { createCipheriv, createHmac, randomBytes } from 'node:crypto';
import { forLaterPhases } from '../entity/phases.ts';
import { forget, remember } from '../identity/identity-memory.ts';
import type { Request } from '../request.ts';
import type { Key } from '../store/client/definition.ts';
import { queryAll, readItem } from '../store/read.ts';
import { touch } from '../store/transactions/touch.ts';
import { transact } from '../store/transactions/transact.ts';
import type { RightsCondition, Write } from '../store/transactions/write.ts';
import { sha256 } from '../values/sha256.ts';
import { computeExpiry, isUnexpired } from '../values/time.ts';
import * as signInKeys from './keys.ts';

/** The lifetime of an unused session: two days. */
export const sessionSeconds = 48 * 60 * 60;
/** The age at which a session in use is extended. */
const extendedAfterSeconds = 60 * 60;
/** The maximum time that a request waits for that. */
const maxWaitMs = 500;
/** The maximum number of sessions of a user. A further one ends the oldest. */
export const maxSessions = 20;
/** The maximum number of sessions that end in one transaction. */
const maxRemovals = 40;

/** A report about a sign-in, which the admin UI shows during the session. */
export interface SignInReport {
  readonly activeSessions: number;
  readonly deletedSessions: number;
  /** The time of the previous sign-in; null for the first one. */
  readonly seenAt: string | null;
}

/** The session of a user who signed in with a browser. */
export interface Session {
  /** The hash of the cookie, which gives no access. */
  readonly hash: string;
  readonly userId: number;
  readonly createdAt: string;
  /** The time at which the session ends; after it, the store may delete the item. */
  readonly expiresAtSeconds: number;
  /** The URL of the identity provider to which the browser is sent after signing out, encrypted by `cipher`. */
  readonly signOutUrl?: string;
  /** The settings with which the user signed on at the identity provider; see `proofOf`. */
  readonly signedOnBy?: string;
  /** The report about the sign-in. */
  readonly report: SignInReport;
}

/** The data of a sign-on at an identity provider that the session stores. */
export type SignOn = Pick<Session, 'signOutUrl' | 'signedOnBy'>;

/** A session as it is stored, with the report as JSON. */
type SessionItem = Key & Omit<Session, 'hash' | 'report'> & { readonly report: string };

/** The format of the cookie: a user id, and 256 random bits. */
const form = /^([1-9]\d{0,15})\.[\w-]{43}$/;

const memoryIdOf = (hash: string) => `session ${hash}`;

/** Creates a session: the value of its cookie, and its write. */
export function buildSession(
  userId: number,
  createdAt: string,
  report: SignInReport,
  signOn: SignOn = {},
): { readonly secret: string; readonly write: Write } {
  const secret = `${userId}.${randomBytes(32).toString('base64url')}`;
  const expiresAtSeconds = computeExpiry(sessionSeconds);
  const item = { userId, createdAt, expiresAtSeconds, report: JSON.stringify(report), ...signOn };
  if (signOn.signOutUrl) item.signOutUrl = cipher(Buffer.from(signOn.signOutUrl), secret).toString('base64');
  return { secret, write: { put: signInKeys.session(userId, sha256(secret)), item, when: 'absent' } };
}

/**
 * Encrypts or decrypts bytes with a key that is derived from the secret of a session, which only the browser has: an address for
 * signing out contains a token of the identity provider. Each key encrypts only one text, so it needs no nonce.
 */
function cipher(bytes: Buffer, secret: string): Buffer {
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
 * Extends a session in use, if that is due. A failure does not affect the request.
 * @returns true if it was extended.
 */
export async function extendSession(request: Request, { userId, hash, expiresAtSeconds }: Session): Promise<boolean> {
  const end = computeExpiry(sessionSeconds);
  if (end - expiresAtSeconds < extendedAfterSeconds) return false;
  try {
    await touch(request, signInKeys.session(userId, hash), 'expiresAtSeconds', end, maxWaitMs);
  } catch {
    return false;
  }
  forget(request, memoryIdOf(hash));
  return true;
}

/** Lists all sessions of a user, oldest first, including expired ones. */
export async function listSessions(request: Request, userId: number): Promise<Session[]> {
  const items = await queryAll<SessionItem>(request, signInKeys.sessions(userId));
  return items.map(sessionOf).toSorted((a, b) => a.createdAt.localeCompare(b.createdAt));
}

/**
 * Returns the write that ends a session. Other processes may accept it for a few more seconds (see `identityTrustMs`).
 */
export function buildSessionRemoval(request: Request, { userId, hash }: Pick<Session, 'userId' | 'hash'>): Write {
  forget(request, memoryIdOf(hash));
  return { remove: signInKeys.session(userId, hash) };
}

/**
 * Ends the session of a cookie, if there is one.
 * @returns the URL to redirect the browser to, if the user came from an identity provider.
 */
export async function endSession(
  request: Request,
  secret: string | undefined,
): Promise<{ readonly signOutUrl: string | undefined }> {
  const session = secret === undefined ? undefined : await findSession(request, secret);
  const result = { signOutUrl: session?.signOutUrl && signOutUrlIn(session.signOutUrl, String(secret)) };
  await transact(request, session === undefined ? [] : [buildSessionRemoval(request, session)], result);
  return result;
}

function signOutUrlIn(stored: string, secret: string): string {
  // Earlier releases stored it in plain text.
  return stored.includes(':') ? stored : cipher(Buffer.from(stored, 'base64'), secret).toString();
}

/**
 * Returns the writes that end all sessions of a user. Sessions that do not fit into one transaction are ended at once, since the caller
 * wants them to end anyway.
 * @param keptSession the cookie of a session that does not end.
 */
export async function buildSessionRemovals(request: Request, userId: number, keptSession?: string): Promise<Write[]> {
  const keptHash = keptSession === undefined ? undefined : sha256(keptSession);
  const ending = (await listSessions(request, userId)).filter(({ hash }) => hash !== keptHash);
  for (let start = maxRemovals; start < ending.length; start += maxRemovals) {
    const removals = ending.slice(start, start + maxRemovals).map((session) => buildSessionRemoval(request, session));
    // The result of the request is not known yet.
    await transact(forLaterPhases(request), removals, undefined);
  }
  return ending.slice(0, maxRemovals).map((session) => buildSessionRemoval(request, session));
}

/** Returns the condition that a session has not ended. */
export function sessionConditionOf({ userId, hash }: Pick<Session, 'userId' | 'hash'>): RightsCondition {
  return { check: signInKeys.session(userId, hash), when: 'present' };
}

/** Parses the value of a session cookie. The session need not exist. */
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
