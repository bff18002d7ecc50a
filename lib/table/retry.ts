import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '../errors.ts';

/** Another writer changed what a decision was based on; nothing was written. */
export class LostRace extends Error {
  override readonly name = 'LostRace';
}

// API Gateway gives an answer up after 30 seconds; a client is told to come back long before that.
const patienceMs = 8_000;
const pauseMaxMs = 200;

/**
 * Reads, decides and writes again until no other writer is in the way. The pauses grow and are random over their whole
 * length ("full jitter"), which lets many writers of one feature pass one after the other.
 * @throws ApiError 503 when the item stays contended for several seconds.
 */
export async function retryLostRaces<T>(attempt: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + patienceMs;
  for (let round = 0; ; round += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof LostRace)) throw error;
      if (Date.now() > deadline) {
        throw new ApiError('ServiceUnavailable', 'Too many writers change this at once; try again.');
      }
    }
    await sleep(Math.random() * Math.min(pauseMaxMs, 5 * 2 ** round));
  }
}
