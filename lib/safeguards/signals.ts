import { randomBytes, timingSafeEqual } from 'node:crypto';
import { ApiError, notFound } from '../errors.ts';
import type { Request } from '../request.ts';
import * as signInKeys from '../sign-in/keys.ts';
import { changeItem } from '../store/change-item.ts';
import { readItem } from '../store/read.ts';
import { countInWindow } from '../store/window.ts';
import { sha256 } from '../values/sha256.ts';
import type { Evidence } from './evaluate.ts';
import * as safeguardKeys from './keys.ts';

/** The most signals to a safeguard within ten minutes. */
const signalsMax = 30;
const windowSeconds = 10 * 60;

/** A safeguard of a feature in an environment. */
export interface SafeguardAddress {
  readonly featureName: string;
  readonly environment: string;
  readonly safeguardId: string;
}

interface SignalItem {
  /** The hash of the token. */
  readonly hash: string;
  /** The time of the last signal; missing before the first one. */
  readonly signalledAt?: string;
  /** `on`, or `off` after a signal that the fault is gone. */
  readonly state?: 'on' | 'off';
  readonly reason?: string;
}

const keyOf = ({ featureName, environment, safeguardId }: SafeguardAddress) =>
  safeguardKeys.signal(featureName, environment, safeguardId);

/**
 * Creates the token for signals to a safeguard, in place of an earlier one. It can do nothing else, and only its hash is stored.
 * The caller must have checked that the safeguard exists.
 */
export async function createSignalToken(request: Request, address: SafeguardAddress): Promise<string> {
  const token = `signal.${randomBytes(32).toString('hex')}`;
  await changeItem(request, keyOf(address), { set: { hash: sha256(token) } });
  return token;
}

/**
 * Stores a signal to a safeguard. A repetition only renews its time.
 * @param token that of the sender, from the header.
 * @throws ApiError 401 for a wrong token and for an unknown safeguard alike; 429 for too many signals.
 */
export async function recordSignal(
  request: Request,
  address: SafeguardAddress,
  token: string | undefined,
  { state, reason }: { readonly state: 'on' | 'off'; readonly reason: string },
): Promise<void> {
  const item = await readItem<SignalItem>(request, keyOf(address));
  if (token === undefined || item === undefined || !isSameHash(sha256(token), item.hash))
    throw new ApiError('AuthenticationRequired', 'A token for signals to this safeguard is required.');
  const { count } = await countInWindow(request, signInKeys.attempts(sha256(`signal ${item.hash}`)), 1, windowSeconds);
  if (count > signalsMax)
    throw new ApiError('TooManyRequests', `A safeguard takes at most ${signalsMax} signals in ten minutes.`);
  const set = { state, reason, signalledAt: new Date().toISOString() };
  const isSameToken = {
    ConditionExpression: '#h = :h',
    ExpressionAttributeNames: { '#h': 'hash' },
    ExpressionAttributeValues: { ':h': item.hash },
  };
  if ((await changeItem(request, keyOf(address), { set }, isSameToken)) === undefined)
    throw notFound('safeguard', address.safeguardId);
}

function isSameHash(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}

/** Measures a signal: 1 if it was sent in the time range, since the start, and was not called off; otherwise 0. */
export async function measureSignal(
  request: Request,
  address: SafeguardAddress,
  { since, now, rangeMs }: { readonly since: number; readonly now: Date; readonly rangeMs: number },
): Promise<Evidence> {
  const item = await readItem<SignalItem>(request, keyOf(address));
  if (item === undefined) return { missing: 'No token for signals was created.' };
  const { signalledAt, state, reason } = item;
  if (signalledAt === undefined) return { missing: 'No signal has arrived yet.' };
  if (state === 'off') return { values: [0], at: signalledAt };
  const from = Math.max(since, now.getTime() - rangeMs);
  if (Date.parse(signalledAt) <= from) return { missing: 'The last signal came before the start or the time range.' };
  return { values: [1], at: signalledAt, ...(reason !== undefined && { note: reason }) };
}
