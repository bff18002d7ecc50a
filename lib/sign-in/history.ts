import { randomInt } from 'node:crypto';
import { ApiError } from '../errors.ts';
import { formatCsv } from '../helpers/csv.ts';
import { type Request, withoutIdempotencyRecord } from '../request.ts';
import type { Key } from '../store/client/definition.ts';
import { queryPages } from '../store/read.ts';
import { retryLostRaces } from '../store/transactions/retry.ts';
import { transact } from '../store/transactions/transact.ts';
import type { Write } from '../store/transactions/write.ts';
import { countInWindow } from '../store/window.ts';
import { computeExpiry, isUnexpired } from '../values/time.ts';
import { attemptsKey, LockedOut } from './attempts.ts';
import * as signInKeys from './keys.ts';
import { findUserId } from './passwords/records.ts';
import type { LoginEvent } from './sign-in-schema.ts';

/** The retention of sign-ins and refused attempts, in days. */
const historyDays = 90;
/** The maximum number of refused attempts that are stored per way to sign in and 15 minutes, which limits the cost of a flood. */
const maxRefusals = 250;
const windowSeconds = 15 * 60;
/** The maximum number of entries in a reply. Even with the longest names, they fit into the largest reply. */
const maxEntries = 2_000;

const maxReasonLength = 200;

/** A way to sign in, under Unleash's name for it. */
type Way = LoginEvent['auth_type'];

/** An attempt to sign in. */
interface SignInAttempt {
  readonly way: Way;
  /** The name as it was typed, or from the identity provider; omitted if unknown. */
  readonly name?: string;
  /** Set for a typed name, which may be a password by mistake. It is stored only if it is the name of a user. */
  readonly isTyped?: true;
  /** The IP address; empty if unknown. */
  readonly address: string;
}

interface HistoryItem extends Key, Omit<SignInAttempt, 'isTyped'> {
  readonly id: number;
  /** The reason of a refusal; omitted for a sign-in. */
  readonly reason?: string;
  readonly expiresAtSeconds: number;
}

/** Returns the write that records a sign-in, for the transaction that starts the session. */
export function buildSignInWrite(attempt: SignInAttempt): Write {
  return buildEntry(attempt);
}

/**
 * Runs an attempt to sign in, and records a refusal. A typed name that no user has is not recorded. Of the attempts that a lock
 * refuses, only the first is recorded, and of all refusals `maxRefusals` and one entry that says that others were omitted. If
 * recording fails, the refusal stays the same.
 */
export async function recordRefusals<T>(request: Request, attempt: SignInAttempt, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (isRefusal(error)) await recordRefusal(request, attempt, error.reason ?? error.message).catch(() => {});
    throw error;
  }
}

function isRefusal(error: unknown): error is ApiError {
  if (error instanceof LockedOut) return error.isFirst;
  return error instanceof ApiError && (error.name === 'AuthenticationRequired' || error.name === 'NoAccessError');
}

async function recordRefusal(request: Request, attempt: SignInAttempt, reason: string): Promise<void> {
  const { count } = await countInWindow(request, attemptsKey('refusals kept', attempt.way), 1, windowSeconds);
  if (count > maxRefusals + 1) return;
  const write =
    count > maxRefusals
      ? buildEntry({ way: attempt.way, address: '' }, 'Further failed attempts within 15 minutes are not recorded.')
      : buildEntry(await withoutUnknownName(request, attempt), reason);
  // This write is not a result of the request.
  const separateRequest = withoutIdempotencyRecord(request);
  await retryLostRaces(separateRequest, () => transact(separateRequest, [write], undefined));
}

async function withoutUnknownName(
  request: Request,
  { isTyped, name, ...attempt }: SignInAttempt,
): Promise<SignInAttempt> {
  const isUnknown = isTyped && name !== undefined && (await findUserId(request, name)) === undefined;
  return name === undefined || isUnknown ? attempt : { ...attempt, name };
}

function buildEntry({ way, name, address }: SignInAttempt, reason?: string): Write {
  const now = Date.now();
  const id = idAt(now);
  const item: Omit<HistoryItem, keyof Key> = {
    ...{ id, way, address },
    ...(name !== undefined && { name: name.toWellFormed() }),
    ...(reason !== undefined && { reason: reason.slice(0, maxReasonLength).toWellFormed() }),
    expiresAtSeconds: computeExpiry(historyDays * 24 * 60 * 60, now),
  };
  return { put: signInKeys.historyEntry(id), item };
}

const perMillisecond = 2048;
let lastId = 0;

/**
 * Returns an id that increases with time, contains it, and fits a JSON number. Ids of a process also increase within a millisecond. Two
 * processes rarely create the same id.
 */
function idAt(ms: number): number {
  const first = ms * perMillisecond;
  const isSameMillisecond = lastId >= first && lastId < first + perMillisecond - 1;
  lastId = isSameMillisecond ? lastId + 1 : first + randomInt(perMillisecond / 2);
  return lastId;
}

/** A page of the history. */
interface HistoryPage {
  readonly limit?: number;
  /** The id of an entry; the page has older ones. */
  readonly before?: number;
}

/** Lists sign-ins and refused attempts, newest first, at most `maxEntries`. */
export async function listHistory(
  request: Request,
  { limit = maxEntries, before }: HistoryPage,
): Promise<LoginEvent[]> {
  const max = Math.min(limit, maxEntries);
  const events: LoginEvent[] = [];
  const pages = queryPages<HistoryItem>(request, signInKeys.signIns(), {
    descending: true,
    pageSize: max,
    ...(before !== undefined && { before: signInKeys.historyEntry(before).sk }),
  });
  for await (const page of pages) {
    const current = page.filter(isUnexpired);
    events.push(...current.map(viewOf));
    // Further entries have expired, and the store will delete them.
    if (events.length >= max || current.length < page.length) break;
  }
  return events.slice(0, max);
}

function viewOf({ id, way, name, address, reason }: HistoryItem): LoginEvent {
  return {
    id,
    username: name ?? '',
    auth_type: way,
    created_at: new Date(Math.floor(id / perMillisecond)).toISOString(),
    successful: reason === undefined,
    ip: address === '' ? null : address,
    failure_reason: reason ?? null,
  };
}

const columns = ['id', 'username', 'auth_type', 'created_at', 'successful', 'ip', 'failure_reason'] as const;

/** Formats a history as CSV. */
export function formatHistory(events: readonly LoginEvent[]): string {
  const rows = events.map((event) => columns.map((column) => String(event[column] ?? '')));
  return formatCsv(columns, rows);
}
