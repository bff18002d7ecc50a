import { randomInt } from 'node:crypto';
import { ApiError } from '../errors.ts';
import { formatCsv } from '../helpers/csv.ts';
import { type Request, withoutReceipt } from '../request.ts';
import type { Key } from '../store/client/definition.ts';
import { queryPages } from '../store/read.ts';
import { retryLostRaces } from '../store/transactions/retry.ts';
import { transact } from '../store/transactions/transact.ts';
import type { Write } from '../store/transactions/write.ts';
import { countInWindow } from '../store/window.ts';
import { computeExpiry, isUnexpired } from '../values/time.ts';
import { attemptsKey, LockedOut } from './attempts.ts';
import { findUserId } from './find-user.ts';
import * as signInKeys from './keys.ts';
import type { LoginEvent } from './sign-in-schema.ts';

/** Retention of sign-ins and attempts, in days. */
const historyDays = 90;
/** Number of refused attempts kept per way to sign in and quarter of an hour; a flood costs no more than that. */
const refusalsKept = 250;
const windowSeconds = 15 * 60;
/** Most entries of an answer: even with names of the greatest length they fit into the largest reply. */
const historyAnswerMax = 2_000;

const reasonLengthMax = 200;

/** A way to sign in, under Unleash's name for it. */
type Way = LoginEvent['auth_type'];

/** An attempt to sign in. */
interface Try {
  readonly way: Way;
  /** Name as it was typed, or as the identity provider reports it; missing if unknown. */
  readonly name?: string;
  /** Marks a typed name: it may be a password, and is kept only if it is the name of a user. */
  readonly isTyped?: true;
  /** IP address; empty if unknown. */
  readonly address: string;
}

interface HistoryItem extends Key, Omit<Try, 'isTyped'> {
  readonly id: number;
  /** Reason of a refusal; missing for a sign-in. */
  readonly reason?: string;
  readonly expiresAtSeconds: number;
}

/** Returns the write that records a sign-in, for the transaction that begins the session. */
export function signInWrite(attempt: Try): Write {
  return written(attempt);
}

/**
 * Carries out an attempt to sign in, and records a refusal, without a typed name that nobody has. Of the attempts that
 * a lock refuses only the first is kept; of all refusals, `refusalsKept` and one more that says that others were left
 * out. A failure to record does not change the refusal.
 */
export async function recordRefusals<T>(request: Request, attempt: Try, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (isRefusal(error)) await keepRefusal(request, attempt, error.reason ?? error.message).catch(() => {});
    throw error;
  }
}

function isRefusal(error: unknown): error is ApiError {
  if (error instanceof LockedOut) return error.isFirst;
  return error instanceof ApiError && (error.name === 'AuthenticationRequired' || error.name === 'NoAccessError');
}

async function keepRefusal(request: Request, attempt: Try, reason: string): Promise<void> {
  const { count } = await countInWindow(request, attemptsKey('refusals kept', attempt.way), 1, windowSeconds);
  if (count > refusalsKept + 1) return;
  const write =
    count > refusalsKept
      ? written(
          { way: attempt.way, address: '' },
          'There are more failed attempts than are kept of a quarter of an hour.',
        )
      : written(await withoutMistyped(request, attempt), reason);
  // What the request results in is not this.
  const besides = withoutReceipt(request);
  await retryLostRaces(besides, () => transact(besides, [write], undefined));
}

async function withoutMistyped(request: Request, { isTyped, name, ...attempt }: Try): Promise<Try> {
  const isNobodys = isTyped && name !== undefined && (await findUserId(request, name)) === undefined;
  return name === undefined || isNobodys ? attempt : { ...attempt, name };
}

function written({ way, name, address }: Try, reason?: string): Write {
  const now = Date.now();
  const id = idAt(now);
  const item: Omit<HistoryItem, keyof Key> = {
    ...{ id, way, address },
    ...(name !== undefined && { name: name.toWellFormed() }),
    ...(reason !== undefined && { reason: reason.slice(0, reasonLengthMax).toWellFormed() }),
    expiresAtSeconds: computeExpiry(historyDays * 24 * 60 * 60, now),
  };
  return { put: signInKeys.signedInOrNot(id), item };
}

const perMillisecond = 2048;
let lastId = 0;

/**
 * Returns an id that rises with time, contains it, and fits a number of JSON. Those of a process rise within a
 * millisecond, too; two processes seldom make the same one.
 */
function idAt(ms: number): number {
  const first = ms * perMillisecond;
  const isSameMillisecond = lastId >= first && lastId < first + perMillisecond - 1;
  lastId = isSameMillisecond ? lastId + 1 : first + randomInt(perMillisecond / 2);
  return lastId;
}

/** Page of the history that is asked for. */
interface HistoryPage {
  readonly limit?: number;
  /** The id of an attempt: those before it. */
  readonly before?: number;
}

/** Lists sign-ins and refused attempts, newest first, at most `historyAnswerMax`. */
export async function listHistory(
  request: Request,
  { limit = historyAnswerMax, before }: HistoryPage,
): Promise<LoginEvent[]> {
  const max = Math.min(limit, historyAnswerMax);
  const found: LoginEvent[] = [];
  const pages = queryPages<HistoryItem>(request, signInKeys.signIns(), {
    descending: true,
    pageSize: max,
    ...(before !== undefined && { before: signInKeys.signedInOrNot(before).sk }),
  });
  for await (const page of pages) {
    const alive = page.filter(isUnexpired);
    found.push(...alive.map(viewOf));
    // The rest has expired, and waits for the store to clear it away.
    if (found.length >= max || alive.length < page.length) break;
  }
  return found.slice(0, max);
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
export function historyCsv(events: readonly LoginEvent[]): string {
  const rows = events.map((event) => columns.map((column) => String(event[column] ?? '')));
  return formatCsv(columns, rows);
}
