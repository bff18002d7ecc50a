import { chunksOf } from '../values/lists.ts';
import { endlessTime, type TimeBudget } from '../values/time-budget.ts';
import type { Key, Partition } from './client/definition.ts';
import * as keys from './keys.ts';
import { queryPages, readItem } from './read.ts';
import { transact } from './transactions/transact.ts';
import type { Work } from './work.ts';

/** The options of work on a list. */
interface WorkOptions {
  /** The highest sort key of the items to work on. */
  readonly upTo?: string;
  /** The number of items that are worked on at the same time. */
  readonly atOnce?: number;
  readonly budget?: TimeBudget | undefined;
  /** Begins with the first item, wherever the last call has stopped. */
  readonly fromFirst?: boolean;
}

/** The sort key of the last item that a call has worked on. */
interface Position {
  readonly after: string;
}

/** The lowest and the highest sort key. */
const ends = { first: ' ', last: '\u{10ffff}' };

/**
 * Does something for each item of a partition, in the order of their sort keys. When the budget is over or the work is cancelled, it
 * stores where it stops, and the next call continues there. So each item has its turn, even if some fail and the list never fits into a
 * call. A call begins at least `atOnce` items.
 * @returns false if the rest of the list is left for the next call.
 * @throws Error the first failure, at the end of the call.
 */
export async function workThrough<T extends Key>(
  work: Work,
  { pk }: Pick<Partition, 'pk'>,
  { upTo = ends.last, atOnce = 1, budget = endlessTime, fromFirst = false }: WorkOptions,
  action: (item: T) => Promise<unknown>,
): Promise<boolean> {
  const key = keys.position(pk);
  const stored = (await readItem<Position>(work, key))?.after;
  // A process whose clock is ahead may have stopped at an item that is not due here.
  const before = stored !== undefined && stored <= upTo && !fromFirst ? stored : undefined;
  let last = before;
  let isComplete = false;
  const failures: unknown[] = [];
  const isTimeLeft = () => last === before || !(budget.isOver() || work.signal?.aborted);
  try {
    const range = { pk, prefix: before ?? ends.first, end: upTo };
    isComplete = await forEachChunk<T>(work, range, atOnce, isTimeLeft, async (chunk) => {
      // The range includes its ends.
      const items = chunk.filter(({ sk }) => sk !== before);
      const outcomes = await Promise.allSettled(items.map(action));
      failures.push(...outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : [])));
      last = chunk.at(-1)?.sk;
    });
  } finally {
    // The last items may be the reason why the work was cancelled, so the next call must not begin with them.
    const next = isComplete ? undefined : last;
    if (next !== stored) await storePosition({ ...work, signal: undefined }, key, next);
  }
  if (failures.length > 0) throw failures[0];
  return isComplete;
}

/** @returns false if no time is left for the rest. */
async function forEachChunk<T>(
  work: Work,
  partition: Partition,
  size: number,
  isTimeLeft: () => boolean,
  action: (chunk: readonly T[]) => Promise<void>,
): Promise<boolean> {
  for await (const page of queryPages<T>(work, partition)) {
    for (const chunk of chunksOf(page, size)) {
      if (!isTimeLeft()) return false;
      await action(chunk);
    }
  }
  return true;
}

function storePosition(work: Work, key: Key, after: string | undefined): Promise<void> {
  return transact(work, [after === undefined ? { remove: key } : { put: key, item: { after } }], undefined);
}
