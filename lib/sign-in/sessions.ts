import { createHash, randomBytes } from 'node:crypto';
import { forSteps } from '../entity/several-steps.ts';
import { forget, remember } from '../people/rights/identity-memory.ts';
import type { Request } from '../request.ts';
import type { Key } from '../store/client/definition.ts';
import * as keys from '../store/keys.ts';
import * as partitions from '../store/partitions.ts';
import { queryAll, readItem } from '../store/read.ts';
import type { Standing } from '../store/transactions/authority.ts';
import { touch } from '../store/transactions/touch.ts';
import { transact } from '../store/transactions/transact.ts';
import type { Write } from '../store/transactions/write.ts';

/** How long a session lasts without being used: two days. */
export const sessionSeconds = 48 * 60 * 60;
/** How much of it may have passed before it is prolonged. */
const prolongedAfterSeconds = 60 * 60;
/** How long a caller may wait for that. */
const patienceMs = 500;
/** How many sessions a user may have; a further one ends the oldest. */
export const sessionsMax = 20;
/** How many are ended together with what ends them. */
const endedAtOnce = 40;

/** How a user signed in, for the admin UI to show as long as the session lasts. */
export interface SignInReport {
  readonly activeSessions: number;
  readonly deletedSessions: number;
  /** When they had signed in before; null for the first time. */
  readonly seenAt: string | null;
}

/** A user who has signed in with a browser. */
export interface Session {
  /** The hash of their cookie, which gives no access. */
  readonly hash: string;
  readonly userId: number;
  readonly createdAt: string;
  /** When it ends, and when the store may clear it away. */
  readonly expiresAtSeconds: number;
  /** Where the browser goes when it signs out: to the identity provider by which its user has come. */
  readonly signOutUrl?: string;
  /** By which settings of an identity provider its user has come; see `proofOf`. */
  readonly signedOnBy?: string;
  /** Unknown of the sessions of earlier releases. */
  readonly report?: SignInReport;
}

/** What a session keeps of a sign-on at an identity provider. */
export type SignOn = Pick<Session, 'signOutUrl' | 'signedOnBy'>;

/** The report is JSON. */
type SessionItem = Key & Omit<Session, 'hash' | 'report'> & { readonly report?: string };

/** What a cookie says: a user, and 256 random bits. */
const form = /^([1-9]\d{0,15})\.[\w-]{43}$/;

const memoryIdOf = (hash: string) => `session ${hash}`;

const nowSeconds = () => Math.floor(Date.now() / 1000);

/** A new session: what its cookie says, and what it writes. */
export function newSession(
  userId: number,
  createdAt: string,
  report: SignInReport,
  signOn: SignOn = {},
): { readonly secret: string; readonly write: Write } {
  const secret = `${userId}.${randomBytes(32).toString('base64url')}`;
  const expiresAtSeconds = nowSeconds() + sessionSeconds;
  const item = { userId, createdAt, expiresAtSeconds, report: JSON.stringify(report), ...signOn };
  return { secret, write: { put: keys.session(userId, hashOf(secret)), item, when: 'absent' } };
}

/** The session that a cookie stands for, if there is one that has not ended. */
export async function findSession(request: Request, secret: string): Promise<Session | undefined> {
  const userId = userIdIn(secret);
  if (userId === undefined) return undefined;
  const hash = hashOf(secret);
  const session = await remember(request, memoryIdOf(hash), async () => {
    const item = await readItem<SessionItem>(request, keys.session(userId, hash));
    return item && sessionOf(item);
  });
  return session !== undefined && session.expiresAtSeconds > nowSeconds() ? session : undefined;
}

/**
 * Prolongs a session that is in use, if that is due. It may fail, and no request is refused for that.
 * @returns whether it was prolonged.
 */
export async function prolongSession(request: Request, { userId, hash, expiresAtSeconds }: Session): Promise<boolean> {
  const end = nowSeconds() + sessionSeconds;
  if (end - expiresAtSeconds < prolongedAfterSeconds) return false;
  try {
    await touch(request, keys.session(userId, hash), 'expiresAtSeconds', end, patienceMs);
  } catch {
    return false;
  }
  forget(request, memoryIdOf(hash));
  return true;
}

/** All sessions of a user, the oldest first, those that have expired included. */
export async function listSessions(request: Request, userId: number): Promise<Session[]> {
  const items = await queryAll<SessionItem>(request, partitions.sessions(userId));
  return items.map(sessionOf).toSorted((a, b) => a.createdAt.localeCompare(b.createdAt));
}

/** What ending a session writes; other processes may trust it for a few seconds more (see `identityTrustMs`). */
export function sessionEnded(request: Request, { userId, hash }: Pick<Session, 'userId' | 'hash'>): Write {
  forget(request, memoryIdOf(hash));
  return { remove: keys.session(userId, hash) };
}

/**
 * Ends the session that a cookie stands for; there may be none.
 * @returns where the browser goes then, if its user has come by an identity provider.
 */
export async function endSession(
  request: Request,
  secret: string | undefined,
): Promise<{ readonly signOutUrl: string | undefined }> {
  const session = secret === undefined ? undefined : await findSession(request, secret);
  const result = { signOutUrl: session?.signOutUrl };
  await transact(request, session === undefined ? [] : [sessionEnded(request, session)], result);
  return result;
}

/**
 * What ending all sessions of a user writes. More than a transaction holds are ended at once; who calls it wants them to
 * end anyway.
 * @param kept what the cookie of a session says that goes on.
 */
export async function allSessionsEnded(request: Request, userId: number, kept?: string): Promise<Write[]> {
  const keptHash = kept === undefined ? undefined : hashOf(kept);
  const ending = (await listSessions(request, userId)).filter(({ hash }) => hash !== keptHash);
  for (let start = endedAtOnce; start < ending.length; start += endedAtOnce) {
    const some = ending.slice(start, start + endedAtOnce).map((session) => sessionEnded(request, session));
    // What the request results in is not known yet.
    await transact(forSteps(request), some, undefined);
  }
  return ending.slice(0, endedAtOnce).map((session) => sessionEnded(request, session));
}

/** The condition that a session has not been ended. */
export function sessionStands({ userId, hash }: Pick<Session, 'userId' | 'hash'>): Standing {
  return { check: keys.session(userId, hash), when: 'present' };
}

/** The session that a cookie names, be it there or not. */
export function namedBy(secret: string): Pick<Session, 'userId' | 'hash'> | undefined {
  const userId = userIdIn(secret);
  return userId === undefined ? undefined : { userId, hash: hashOf(secret) };
}

function userIdIn(secret: string): number | undefined {
  const id = form.exec(secret)?.[1];
  return id === undefined ? undefined : Number(id);
}

function sessionOf({ pk: _, sk: hash, report, ...session }: SessionItem): Session {
  return { hash, ...session, ...(report !== undefined && { report: JSON.parse(report) }) };
}

/** It has too many random bits to be guessed, so a plain hash protects it. */
function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
