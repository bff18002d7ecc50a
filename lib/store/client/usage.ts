import type { ConsumedCapacity } from '@aws-sdk/client-dynamodb';
import type { CountedOperation } from './operations.ts';

/** The requests made to the store so far, and their cost. */
export interface StoreUsage {
  /** Requests, repeated ones included. */
  requests: number;
  /** The number of requests made while nothing was under way: the waits one after the other. */
  waits: number;
  readUnits: number;
  writeUnits: number;
  underWay: number;
}

export function noUsage(): StoreUsage {
  return { requests: 0, waits: 0, readUnits: 0, writeUnits: 0, underWay: 0 };
}

/** The part of an answer that says what it took. A request for many items has an entry per table. */
interface StoreReply {
  readonly ConsumedCapacity?: ConsumedCapacity | ConsumedCapacity[] | undefined;
}

/**
 * Counts a request that is made now, and what its answer says it took, for which it must have asked. What a refused
 * request took is not known: the store does not say.
 * @param askers whose request it is, or of each part of it whose. All of them wait for it, so that it counts as one of
 * theirs for each; what it took is divided by their parts, so that the sum over all is what the store will charge.
 * @param send calls `onRetry` before each further attempt, which counts as a request.
 */
export async function countUsage<A extends StoreReply>(
  askers: readonly StoreUsage[],
  operation: CountedOperation,
  send: (onRetry: () => void) => Promise<A>,
): Promise<A> {
  const waiting = new Set(askers);
  const countAttempt = () => {
    for (const usage of waiting) usage.requests += 1;
  };
  countAttempt();
  for (const usage of waiting) {
    if (usage.underWay === 0) usage.waits += 1;
    usage.underWay += 1;
  }
  try {
    const answer = await send(countAttempt);
    const consumed = [answer.ConsumedCapacity ?? []].flat();
    const share = consumed.reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0) / askers.length;
    const units = reads.has(operation) ? 'readUnits' : 'writeUnits';
    for (const usage of askers) usage[units] += share;
    return answer;
  } finally {
    for (const usage of waiting) usage.underWay -= 1;
  }
}

const reads: ReadonlySet<CountedOperation> = /* @__PURE__ */ new Set(['BatchGetItem', 'Query', 'Scan'] as const);
