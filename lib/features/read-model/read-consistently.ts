import type { Request } from '../../request.ts';
import { pause } from '../../store/client/call-store.ts';
import { LostRace } from '../../store/transactions/retry.ts';

/** The time for which an inconsistent read is repeated. Normally the first or second read is consistent. */
const timeoutMs = 1_000;
/** The timeout if there is no older result to serve instead. */
const neededTimeoutMs = 5_000;
const pauseMs = 50;

/**
 * Repeats a read until it does not throw LostRace, and returns its result; undefined after the timeout.
 * @param isNeeded true if there is no older result to serve instead, for a longer timeout.
 */
export async function readConsistently<T>(
  request: Request,
  isNeeded: boolean,
  read: () => Promise<T>,
): Promise<T | undefined> {
  const start = performance.now();
  const limitMs = isNeeded ? neededTimeoutMs : timeoutMs;
  for (;;) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof LostRace)) throw error;
    }
    if (performance.now() - start > limitMs) return undefined;
    await pause(Math.random() * pauseMs, request);
  }
}
