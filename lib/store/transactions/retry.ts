import pLimit, { type LimitFunction } from 'p-limit';
import { ApiError } from '../../errors.ts';
import { BoundedMap, cachePerObject } from '../../values/cache.ts';
import { pause } from '../client/call-store.ts';
import { type Key, keyText } from '../client/definition.ts';
import type { Work } from '../work.ts';

/** Another writer changed what a decision was based on; nothing was written. */
export class LostRace extends Error {
  override readonly name = 'LostRace';
}

// API Gateway gives an answer up after 30 seconds; a client is asked to come back long before that.
const patienceMs = 15_000;
const pauseMaxMs = 200;

/**
 * Reads, decides and writes again until no other writer is in the way. The pauses grow and are random over their whole
 * length ("full jitter"), which lets many writers of one feature pass one after the other. They are as long as an attempt
 * where that takes longer, so that of several large changes one gets ahead of the others.
 * @throws ApiError 503 when the item stays contended for several seconds; the reason of the table's signal once it aborts.
 */
export function retryLostRaces<T>(work: Work, attempt: () => Promise<T>): Promise<T> {
  return retry(work, attempt, performance.now());
}

async function retry<T>(work: Work, attempt: () => Promise<T>, start: number): Promise<T> {
  for (let round = 0; ; round += 1) {
    const attemptStart = performance.now();
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof LostRace)) throw error;
      if (performance.now() - start > patienceMs) throw tooManyWriters();
    }
    const attemptMs = performance.now() - attemptStart;
    await pause(Math.random() * Math.max(attemptMs, Math.min(pauseMaxMs, 5 * 2 ** round)), work);
  }
}

function tooManyWriters(): ApiError {
  return new ApiError('ServiceUnavailable', 'Too many writers change this at once; try again.');
}

/** Writers who take turns at an item, and the time until which others join them even when nobody waits. */
interface Queue {
  readonly turns: LimitFunction;
  until: number;
}

/** Time for which writers that have met take turns. Tests that hold one back while others write set it to 0. @internal */
export const contention = { rememberedMs: 1_000 };
/** A queue that is forgotten costs those who come a race, and no more. */
const queuesMax = 1_000;

const queuesOf = cachePerObject((_: Work['store']) => new BoundedMap<string, Queue>(queuesMax));

/**
 * As `retryLostRaces`, for a decision that rests on certain items. Those of this process that have lost a race for one of
 * them, and those that come while these wait or soon after, take turns instead of getting in each other's way again. In
 * Lambda, where a process has one request at a time, there is no other to wait for.
 * @throws ApiError 503 when the item stays contended for several seconds, the wait for the turn included; the reason of
 * the table's signal once it aborts.
 */
export async function retryInQueue<T>(work: Work, items: readonly Key[], attempt: () => Promise<T>): Promise<T> {
  const start = performance.now();
  const queues = queuesOf(work.store);
  // In one order for all, so that no two wait for each other.
  const ids = [...new Set(items.map(keyText))].toSorted();
  if (!ids.some((id) => isContended(queues.get(id)))) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof LostRace)) throw error;
    }
    for (const id of ids) queueOf(queues, id).until = performance.now() + contention.rememberedMs;
  }
  const last = () => {
    work.signal?.throwIfAborted();
    if (performance.now() - start > patienceMs) throw tooManyWriters();
    return retry(work, attempt, start);
  };
  return ids.reduceRight<() => Promise<T>>(
    (next, id) => () => queueOf(queues, id).turns(next),
    async () => last(),
  )();
}

function queueOf(queues: Map<string, Queue>, id: string): Queue {
  const queue = queues.get(id) ?? { turns: pLimit(1), until: 0 };
  queues.set(id, queue);
  return queue;
}

const isContended = (queue: Queue | undefined) =>
  queue !== undefined && (queue.turns.activeCount + queue.turns.pendingCount > 0 || performance.now() < queue.until);
