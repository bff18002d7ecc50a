import { setImmediate } from 'node:timers/promises';
import type { ConsumedCapacity } from '@aws-sdk/client-dynamodb';
import type { Request } from '../../lib/request.ts';
import { interceptRequests } from './intercept.ts';

/** One request to the store, as `action` made it. */
export interface StoreRequestRecord {
  /** `BatchGet`, `Query`, `Update` or `TransactWrite`. */
  readonly command: string;
  /** Targets: items by partition and sort key, partitions by theirs. */
  readonly targets: readonly string[];
  /** True if it reads as consistently as the store can: an index always may lag. */
  readonly isConsistent: boolean;
  /** In which of the waits, one after the other, it was under way; counted from 0. */
  readonly wave: number;
  /** Cost, according to the store's answer: read units of a read, write units of a write. */
  units: number;
}

/**
 * Records the requests that an action makes, in their order. Those that are under way at the same time are answered at the
 * same time, so that which of them wait for which does not depend on how fast the store is.
 */
export async function recordStoreRequests(
  table: Request,
  action: () => Promise<unknown>,
): Promise<StoreRequestRecord[]> {
  const requests: StoreRequestRecord[] = [];
  const answered: (() => void)[] = [];
  let underWay = 0;
  let wave = -1;
  const answerTogether = async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    answered.push(resolve);
    // A parallel request may be sent a moment later.
    await setImmediate();
    if (answered.length === underWay) {
      underWay = 0;
      for (const release of answered.splice(0)) release();
    }
    await promise;
  };
  using _ = interceptRequests(table, async ({ operation, input }, next) => {
    if (underWay === 0) wave += 1;
    underWay += 1;
    const request = { command: operation.replace(/Items?$/, ''), wave, ...describe(input), units: 0 };
    requests.push(request);
    try {
      const output = await next();
      request.units = unitsOf(output);
      return output;
    } finally {
      await answerTogether();
    }
  });
  await action();
  return requests;
}

/**
 * Calls a function before each request to the store, once for all its retries.
 * @param happens gets the number of other requests that are under way.
 */
export function beforeRequests(
  table: Request,
  happens: (input: object, operation: string, underWay: () => number) => unknown,
): Disposable {
  let underWay = 0;
  return interceptRequests(table, async ({ operation, input }, next) => {
    await happens(input, operation, () => underWay);
    underWay += 1;
    return next().finally(() => {
      underWay -= 1;
    });
  });
}

/**
 * Carries out what comes between the reads of an action and its first transaction, or just before another first request.
 * @param nth carries it out before this one of the requests instead.
 */
export async function betweenReadAndWrite<T>(
  table: Request,
  between: () => Promise<unknown>,
  action: () => Promise<T>,
  request: 'TransactWriteItems' | 'BatchGetItem' = 'TransactWriteItems',
  nth = 1,
): Promise<T> {
  let left = nth;
  using _ = beforeRequests(table, async (_input, operation) => {
    if (operation !== request) return;
    left -= 1;
    if (left === 0) await between();
  });
  return await action();
}

interface Text {
  readonly S: string;
}

interface MarshalledKey {
  readonly pk: Text;
  readonly sk: Text;
}

interface Input {
  readonly Key?: MarshalledKey;
  readonly ConsistentRead?: boolean;
  readonly IndexName?: string;
  readonly RequestItems?: Readonly<
    Record<string, { readonly Keys: readonly MarshalledKey[]; readonly ConsistentRead?: boolean }>
  >;
  readonly ExpressionAttributeValues?: Readonly<Record<string, Text>>;
  readonly TransactItems?: readonly Readonly<
    Record<string, { readonly Key?: MarshalledKey; readonly Item?: MarshalledKey }>
  >[];
}

interface Output {
  readonly ConsumedCapacity?: ConsumedCapacity | readonly ConsumedCapacity[];
}

function unitsOf({ ConsumedCapacity = [] }: Output): number {
  return [ConsumedCapacity].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
}

function describe(input: Input): Pick<StoreRequestRecord, 'targets' | 'isConsistent'> {
  const [batch] = Object.values(input.RequestItems ?? {});
  const written = input.TransactItems?.map((action) => {
    const [operation] = Object.values(action);
    return (operation?.Key ?? operation?.Item) as MarshalledKey;
  });
  const items = batch?.Keys ?? written ?? (input.Key && [input.Key]);
  const { ':pk': pk, ':sk': sk } = input.ExpressionAttributeValues ?? {};
  const queried = input.IndexName ?? (sk === undefined ? `${pk?.S}` : `${pk?.S} ${sk.S}`);
  return {
    targets: items?.map((key) => `${key.pk.S} ${key.sk.S}`) ?? [queried],
    isConsistent: (batch ?? input).ConsistentRead === true || input.IndexName !== undefined,
  };
}
