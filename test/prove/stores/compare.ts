import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { askForAll } from './comparable.ts';
import type { ComparedStore } from './compared-store.ts';
import { excuseFor, type KnownError } from './reference-errors.ts';
import { creation, type StoreRequest } from './sequence/requests.ts';
import { TableName } from './sequence/values.ts';

/** A request that another store answered otherwise than our own. */
export interface StoreDifference {
  readonly store: string;
  readonly request: StoreRequest;
  readonly own: unknown;
  readonly other: unknown;
}

const whole: StoreRequest = ['Scan', { TableName, ConsistentRead: true, ReturnConsumedCapacity: 'TOTAL' }];

/**
 * Sends a sequence of requests to stores whose table is empty, reads all that is in it then, and empties it again. A store
 * that has answered otherwise gets no further requests, unless the error is known and has changed nothing.
 */
export async function compareSequence(
  sequence: readonly StoreRequest[],
  own: ComparedStore,
  others: readonly ComparedStore[],
) {
  /** At most one for each other store. */
  const differences: StoreDifference[] = [];
  /** The known errors of other stores that were met. */
  const excused: KnownError[] = [];
  const requests = [...withOwnTokens(sequence), whole];
  let alike = [...others];
  for (const request of requests) {
    const [wanted, ...found] = await Promise.all([own, ...alike].map((store) => askForAll(store, request)));
    alike = alike.filter((store, index) => {
      if (isDeepStrictEqual(wanted, found[index])) return true;
      const difference = { store: store.name, request, own: wanted, other: found[index] };
      const excuse = excuseFor(difference);
      if (excuse === undefined) differences.push(difference);
      else excused.push(excuse);
      return excuse?.changesNothing === true;
    });
  }
  await Promise.all(
    [own, ...others].map((store) => (alike.includes(store) || store === own ? empty(store) : renew(store))),
  );
  return { requests: requests.length, differences, excused };
}

/** Tokens that no sequence before had: a store remembers them, and not only for one table. */
function withOwnTokens(sequence: readonly StoreRequest[]): StoreRequest[] {
  const sequenceId = randomUUID().slice(0, 20);
  return sequence.map(([operation, input]) => {
    const { ClientRequestToken: token } = input;
    return [operation, token === undefined ? input : { ...input, ClientRequestToken: `${sequenceId}-${token}` }];
  });
}

/** Gives a store a new table. */
export async function renew(store: ComparedStore): Promise<void> {
  await store.ask(['DeleteTable', { TableName }]);
  const { status } = await store.ask(creation);
  if (status !== 200) throw new Error(`${store.name} creates no table: ${status}`);
}

/** AWS's documented limit of the writes of one request. */
const batchWritesMax = 25;

/** To make a table takes as long as dozens of requests. */
async function empty(store: ComparedStore): Promise<void> {
  for (;;) {
    const { answer } = await store.ask(['Scan', { TableName, ConsistentRead: true, Limit: batchWritesMax }]);
    const writes = answer.Items.map(({ pk, sk }: Readonly<Record<string, unknown>>) => ({
      DeleteRequest: { Key: { pk, sk } },
    }));
    if (writes.length === 0) return;
    await store.ask(['BatchWriteItem', { RequestItems: { [TableName]: writes } }]);
  }
}
