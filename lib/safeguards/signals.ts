import { randomBytes, timingSafeEqual } from 'node:crypto';
import { ApiError, invalid } from '../errors.ts';
import * as featureKeys from '../features/keys.ts';
import { parseAuthorization } from '../identity/tokens/token.ts';
import type { Request } from '../request.ts';
import { attemptsKey } from '../sign-in/attempts.ts';
import { changeItem } from '../store/change-item.ts';
import type { Key } from '../store/client/definition.ts';
import { readItem } from '../store/read.ts';
import { transact } from '../store/transactions/transact.ts';
import { countInWindow } from '../store/window.ts';
import { sha256 } from '../values/sha256.ts';
import type { Evidence } from './evaluate.ts';

/** The most signals to a safeguard within ten minutes. */
const signalsMax = 30;
const windowSeconds = 10 * 60;
/** The most tokens for signals of a feature. They are removed together with it, in one transaction. */
const tokensMax = 20;
/** The most characters of a token that are hashed: more than any token has, and too few to cost anything. */
const tokenMax = 500;

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
  featureKeys.signal(featureName, environment, safeguardId);

/**
 * Creates the token for signals to a safeguard, in place of an earlier one. It can do nothing else, and only its hash is stored.
 * @param version that of the feature in which the safeguard was found: a token without its safeguard would stay.
 * @param known the keys of all tokens of the feature.
 * @throws ApiError 400 for too many tokens; LostRace if the feature has changed.
 */
export async function createSignalToken(
  request: Request,
  address: SafeguardAddress,
  version: number,
  known: readonly Key[],
): Promise<string> {
  const { featureName, environment, safeguardId } = address;
  const key = keyOf(address);
  if (known.filter(({ sk }) => sk !== key.sk).length >= tokensMax)
    throw invalid(`The feature has ${tokensMax} tokens for signals already, which is the most.`);
  const token = `${featureName}:${environment}:${safeguardId}.${randomBytes(32).toString('hex')}`;
  const isUnchanged = { check: featureKeys.feature(featureName), when: { version } } as const;
  await transact(request, [{ put: key, item: { hash: sha256(token) } }, isUnchanged], token);
  return token;
}

/** The sender of a signal, whose token was checked. */
export interface SignalSender extends SafeguardAddress {
  readonly id: string;
  /** The hash of the token. */
  readonly secret: string;
}

/**
 * Finds the safeguard that a token for signals is for.
 * @param authorization the header with the token.
 * @throws ApiError 401 for an invalid token.
 */
export async function findSignalSender(request: Request, authorization: string | undefined): Promise<SignalSender> {
  const token = parseAuthorization(authorization)?.slice(0, tokenMax) ?? '';
  const [, featureName, environment, safeguardId] = /^([^:]+):([^:]+):([^:]+)\.[\da-f]{64}$/.exec(token) ?? [];
  const secret = sha256(token);
  if (featureName !== undefined && environment !== undefined && safeguardId !== undefined) {
    const address = { featureName, environment, safeguardId };
    const item = await readItem<SignalItem>(request, keyOf(address));
    if (item !== undefined && isSameHash(secret, item.hash))
      return { ...address, id: `signals to ${safeguardId}`, secret };
  }
  throw new ApiError('AuthenticationRequired', 'A valid token for signals to a safeguard is required.');
}

/** A signal: `off` withdraws it. */
export interface Signal {
  readonly state: 'on' | 'off';
  readonly reason: string;
}

/**
 * Stores a signal to a safeguard. A repetition only renews its time.
 * @throws ApiError 401 if another token was created meanwhile; 429 for too many signals.
 */
export async function recordSignal(request: Request, sender: SignalSender, { state, reason }: Signal): Promise<void> {
  const { secret } = sender;
  const { count } = await countInWindow(request, attemptsKey('signal', secret), 1, windowSeconds);
  if (count > signalsMax)
    throw new ApiError('TooManyRequests', `A safeguard takes at most ${signalsMax} signals in ten minutes.`);
  const isValid = {
    ConditionExpression: '#hash = :hash',
    ExpressionAttributeNames: { '#hash': 'hash' },
    ExpressionAttributeValues: { ':hash': secret },
  };
  const set = { state, reason, signalledAt: new Date().toISOString() };
  if ((await changeItem(request, keyOf(sender), { set }, isValid)) === undefined)
    throw new ApiError('AuthenticationRequired', 'Another token for signals to this safeguard was created.');
}

function isSameHash(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}

/** Measures a signal: 1 if one was sent in the time range and after the start, and 0 once it was withdrawn. */
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
