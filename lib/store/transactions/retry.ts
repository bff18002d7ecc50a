import pLimit, { type LimitFunction } from 'p-limit';
import { ApiError } from '../../errors.ts';
import { BoundedMap, cachePerObject } from '../../values/cache.ts';
import { pause } from '../client/call-store.ts';
import { type Key, keyText } from '../client/definition.ts';
import type { Work } from '../work.ts';

/** The error of a transaction that has written nothing because another writer changed an item that it depends on. */
export class LostRace extends Error {
  override readonly name = 'LostRace';
}

// API Gateway times out after 30 seconds; a client gets a 503 long before that.
const patienceMs = 15_000;
const pauseMaxMs = 200;

/**
 * Repeats an attempt while it loses races against other writers. The pauses grow exponentially with full jitter. They are at least
 * as long as an attempt, so that one of several large changes gets ahead of the others.
 * @throws ApiError 503 after 15 seconds; the reason of the signal of `work` once it aborts.
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
  return new ApiError('ServiceUnavailable', 'Too many writers change this at the same time; try again.');
}

/** A queue of writers of an item. Until the given time, new writers join it even if it is empty. */
interface Queue {
  readonly turns: LimitFunction;
  until: number;
}

/** The time for which writers queue after a conflict. Tests that delay a writer while others write set it to 0. @internal */
export const contention = { rememberedMs: 1_000 };
/** The most queues per store. A dropped queue only costs its writers another race. */
const queuesMax = 1_000;

const queuesOf = cachePerObject((_: Work['store']) => new BoundedMap<string, Queue>(queuesMax));

/**
 * Repeats an attempt like `retryLostRaces`, and queues the writers of the same items in this process: after a lost race, and for a
 * second, they write one after the other instead of racing again. In Lambda, a process handles one request at a time and never
 * queues.
 * @param items the items that the attempt depends on.
 * @throws ApiError 503 after 15 seconds, including the time in the queue; the reason of the signal of `work` once it aborts.
 */
export async function retryInQueue<T>(work: Work, items: readonly Key[], attempt: () => Promise<T>): Promise<T> {
  const start = performance.now();
  const queues = queuesOf(work.store);
  // All writers wait in the same order of items, so that none wait for each other.
  const ids = [...new Set(items.map(keyText))].toSorted();
  if (!ids.some((id) => isContended(queues.get(id)))) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof LostRace)) throw error;
    }
    for (const id of ids) queueOf(queues, id).until = performance.now() + contention.rememberedMs;
  }
  const run = () => {
    work.signal?.throwIfAborted();
    if (performance.now() - start > patienceMs) throw tooManyWriters();
    return retry(work, attempt, start);
  };
  return ids.reduceRight<() => Promise<T>>(
    (next, id) => () => queueOf(queues, id).turns(next),
    async () => run(),
  )();
}

function queueOf(queues: Map<string, Queue>, id: string): Queue {
  const queue = queues.get(id) ?? { turns: pLimit(1), until: 0 };
  queues.set(id, queue);
  return queue;
}

const isContended = (queue: Queue | undefined) =>
  queue !== undefined && (queue.turns.activeCount + queue.turns.pendingCount > 0 || performance.now() < queue.until);
