import { ApiError } from '../../errors.ts';
import type { Request } from '../../request.ts';
import { countInWindow } from '../../store/window.ts';
import { BoundedMap, cachePerObject } from '../../values/cache.ts';
import * as tokenKeys from './keys.ts';
import type { Token } from './tokens.ts';

/** The most calls of an agent in a minute that a process answers. They are not counted in the store, where each count costs a write. */
const callsPerMinute = 300;
/** The most calls of an agent in a minute that change proposals, in all processes together. */
const changesPerMinute = 60;
const minuteSeconds = 60;
const rememberedMax = 10_000;

interface MinuteCount {
  readonly minute: number;
  readonly calls: number;
}

const countsOf = cachePerObject((_: Request['store']) => new BoundedMap<string, MinuteCount>(rememberedMax));

/**
 * Counts a call of an agent in this process.
 * @throws ApiError 429 for too many calls in this minute.
 */
export function takeAgentCall({ store }: Request, { hash }: Pick<Token, 'hash'>): void {
  const counts = countsOf(store);
  const now = Date.now() / 1_000;
  const minute = Math.floor(now / minuteSeconds);
  const last = counts.get(hash);
  const calls = last?.minute === minute ? last.calls + 1 : 1;
  if (calls > callsPerMinute) throw tooManyCalls(callsPerMinute, (minute + 1) * minuteSeconds - now);
  counts.set(hash, { minute, calls });
}

/**
 * Counts a call of an agent that changes proposals.
 * @throws ApiError 429 for too many such calls in a minute.
 */
export async function takeAgentChange(request: Request, { hash }: Pick<Token, 'hash'>): Promise<void> {
  const { count, expiresAtSeconds } = await countInWindow(request, tokenKeys.agentChanges(hash), 1, minuteSeconds);
  if (count > changesPerMinute) throw tooManyCalls(changesPerMinute, expiresAtSeconds - Date.now() / 1_000);
}

function tooManyCalls(max: number, seconds: number): ApiError {
  const retryAfterSeconds = Math.max(1, Math.ceil(seconds));
  return new ApiError('TooManyRequests', `An agent can make at most ${max} such calls in a minute.`, undefined, {
    retryAfterSeconds,
  });
}
