import type { Request } from '../../request.ts';
import { pause } from '../../store/client/ask.ts';
import { LostRace } from '../../store/transactions/retry.ts';

/** The milliseconds for which an inconsistent read is repeated. Normally the first or second read is consistent. */
const settleMs = 1_000;
/** The same where nothing is known that could be served instead. */
const neededSettleMs = 5_000;
const pauseMs = 50;

/**
 * Returns the answer of a read as soon as it is of one moment; undefined if it is not in time.
 * @param isNeeded whether nothing is known that could be served instead, so that it is worth a longer wait.
 */
export async function readSettled<T>(
  request: Request,
  isNeeded: boolean,
  read: () => Promise<T>,
): Promise<T | undefined> {
  const start = performance.now();
  const patienceMs = isNeeded ? neededSettleMs : settleMs;
  for (;;) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof LostRace)) throw error;
    }
    if (performance.now() - start > patienceMs) return undefined;
    await pause(Math.random() * pauseMs, request);
  }
}
