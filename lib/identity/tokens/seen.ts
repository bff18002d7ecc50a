import type { Request } from '../../request.ts';
import { touch } from '../../store/transactions/touch.ts';
import { BoundedMap } from '../../values/memory.ts';
import * as tokenKeys from './keys.ts';
import type { Token } from './tokens.ts';

/** Accuracy of the time of last use. */
export const seenEveryMs = 10 * 60_000;
/** Most time that a caller waits for the use to be noted. */
const patienceMs = 500;
const rememberedMax = 10_000;

/** Times at which this process tried to note the use, by the hash of the token. */
const noted = new BoundedMap<string, number>(rememberedMax);

/**
 * Notes that a token was used just now, unless that was noted within ten minutes. It may get lost without a refusal:
 * a process without the right to write, such as a relay, notes nothing.
 */
export async function noteSeen(request: Request, { hash, seenAt }: Token): Promise<void> {
  const now = Date.now();
  const isRecent = (at: number | undefined) => at !== undefined && Math.abs(now - at) < seenEveryMs;
  if (isRecent(noted.get(hash)) || isRecent(seenAt === undefined ? undefined : Date.parse(seenAt))) return;
  noted.set(hash, now);
  await touch(request, tokenKeys.token(hash), 'seenAt', new Date(now).toISOString(), patienceMs).catch(() => {});
}
