import type { ConsumedCapacity } from '@aws-sdk/client-dynamodb';
import type { CountedOperation } from './operations.ts';

/** The requests of a caller to the store so far, and their cost. */
export interface StoreUsage {
  /** The number of requests, including retries. */
  requests: number;
  /** The number of requests that began while none was under way, which is the number of successive waits. */
  waits: number;
  readUnits: number;
  writeUnits: number;
  underWay: number;
}

export function newUsage(): StoreUsage {
  return { requests: 0, waits: 0, readUnits: 0, writeUnits: 0, underWay: 0 };
}

/** The part of a response with its cost. A request for many items has an entry per table. */
interface StoreReply {
  readonly ConsumedCapacity?: ConsumedCapacity | ConsumedCapacity[] | undefined;
}

/**
 * Sends a request, and counts it with its cost. The request must ask for ConsumedCapacity. DynamoDB does not tell the cost of a
 * refused request.
 * @param usages one entry per part of the request; a caller with several parts has several. The request counts once for each
 * caller, since all wait for it. The cost is divided by the number of parts, so that the sum is what DynamoDB charges.
 * @param send calls `onRetry` before each retry, which counts as a request.
 */
export async function countUsage<A extends StoreReply>(
  usages: readonly StoreUsage[],
  operation: CountedOperation,
  send: (onRetry: () => void) => Promise<A>,
): Promise<A> {
  const waiting = new Set(usages);
  const countAttempt = () => {
    for (const usage of waiting) usage.requests += 1;
  };
  countAttempt();
  for (const usage of waiting) {
    if (usage.underWay === 0) usage.waits += 1;
    usage.underWay += 1;
  }
  try {
    const reply = await send(countAttempt);
    const consumed = [reply.ConsumedCapacity ?? []].flat();
    const share = consumed.reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0) / usages.length;
    const units = reads.has(operation) ? 'readUnits' : 'writeUnits';
    for (const usage of usages) usage[units] += share;
    return reply;
  } finally {
    for (const usage of waiting) usage.underWay -= 1;
  }
}

const reads: ReadonlySet<CountedOperation> = /* @__PURE__ */ new Set(['BatchGetItem', 'Query', 'Scan'] as const);
