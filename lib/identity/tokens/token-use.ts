import type { Request } from '../../request.ts';
import { touch } from '../../store/transactions/touch.ts';
import { BoundedMap } from '../../values/cache.ts';
import * as tokenKeys from './keys.ts';
import type { Token } from './tokens.ts';

/** Accuracy of the time of last use. */
const useAccuracyMs = 10 * 60_000;
/** Time that a caller waits until the use is stored. */
const patienceMs = 500;
const rememberedMax = 10_000;

/** Times at which this process last tried to store the use, by the hash of the token. */
const attempts = new BoundedMap<string, number>(rememberedMax);

/**
 * Stores that a token was used, unless that was done within ten minutes. Failures are ignored: a process without the right to
 * write, such as a relay, stores nothing.
 */
export async function recordTokenUse(request: Request, { hash, seenAt }: Token): Promise<void> {
  const now = Date.now();
  const isRecent = (at: number | undefined) => at !== undefined && Math.abs(now - at) < useAccuracyMs;
  if (isRecent(attempts.get(hash)) || isRecent(seenAt === undefined ? undefined : Date.parse(seenAt))) return;
  attempts.set(hash, now);
  await touch(request, tokenKeys.token(hash), 'seenAt', new Date(now).toISOString(), patienceMs).catch(() => {});
}
