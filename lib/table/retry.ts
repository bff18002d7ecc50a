import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '../errors.ts';

/** Another writer changed what a decision was based on; nothing was written. */
export class LostRace extends Error {
  override readonly name = 'LostRace';
}

// API Gateway gives an answer up after 30 seconds; a client is told to come back long before that.
const patienceMs = 15_000;
const pauseMaxMs = 200;

/**
 * Reads, decides and writes again until no other writer is in the way. The pauses grow and are random over their whole
 * length ("full jitter"), which lets many writers of one feature pass one after the other. They are as long as an attempt
 * where that takes longer, so that of several large changes one gets ahead of the others.
 * @throws ApiError 503 when the item stays contended for several seconds.
 */
export async function retryLostRaces<T>(attempt: () => Promise<T>): Promise<T> {
  const start = Date.now();
  for (let round = 0; ; round += 1) {
    const attemptStart = Date.now();
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof LostRace)) throw error;
      if (Date.now() - start > patienceMs) {
        throw new ApiError('ServiceUnavailable', 'Too many writers change this at once; try again.');
      }
    }
    const attemptMs = Date.now() - attemptStart;
    await sleep(Math.random() * Math.max(attemptMs, Math.min(pauseMaxMs, 5 * 2 ** round)));
  }
}
