import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { environments } from '../../lib/environments/environments.ts';
import * as environmentKeys from '../../lib/environments/keys.ts';
import { eventLogPartition, type Key, tableDefinition } from '../../lib/store/client/definition.ts';
import { type MarshalledItem, marshall, unmarshall } from '../../lib/store/client/marshall.ts';
import { readItem } from '../../lib/store/read.ts';
import { tableForEach } from '../specifications/specify.ts';
import { interceptAttempts } from './intercept.ts';
import { underStoreRules } from './store-rules.ts';

const table = tableForEach();

const [a, b, c] = ['a', 'b', 'c'].map(environments.keyOf) as [Key, Key, Key];

/** Puts items with a value in one transaction, and removes those without one. */
function transaction(values: readonly (readonly [Key, number | undefined])[], ClientRequestToken?: string) {
  const TableName = table.store.name;
  const TransactItems = values.map(([key, value]) =>
    value === undefined
      ? { Delete: { TableName, Key: marshall({ ...key }) } }
      : { Put: { TableName, Item: marshall({ ...key, value }) } },
  );
  return table.store.client.send('TransactWriteItems', { TransactItems, ClientRequestToken });
}

const raise = (key: Key) =>
  table.store.client.send('UpdateItem', {
    TableName: table.store.name,
    Key: marshall({ ...key }),
    UpdateExpression: 'ADD amount :one',
    ExpressionAttributeValues: marshall({ ':one': 1 }),
  });

const valueUnder = async (key: Key) => (await readItem<{ value: number }>(table, key))?.value;

describe('Under the rule of conflicts', () => {
  test('of two transactions that touch an item at the same time one is cancelled, with a reason for each item', async () => {
    using rules = underStoreRules(table);
    const first = transaction([
      [a, 1],
      [b, 1],
    ]);
    const second = transaction([
      [b, 2],
      [c, 2],
    ]);
    await expect(second).rejects.toMatchObject({
      name: 'TransactionCanceledException',
      CancellationReasons: [{ Code: 'TransactionConflict' }, { Code: 'None' }],
    });
    await first;
    expect([await valueUnder(a), await valueUnder(b), await valueUnder(c)]).toEqual([1, 1, undefined]);
    expect(rules.counts).toMatchObject({ transactions: 2, conflicts: 1 });
  });

  test('so is a write outside of transactions, but no read', async () => {
    using rules = underStoreRules(table, { inFlightMs: 50 });
    const under = transaction([[a, 1]]);
    // The transaction has left by then.
    await new Promise((resolve) => setTimeout(resolve, 10));
    await expect(raise(a)).rejects.toMatchObject({ name: 'TransactionConflictException' });
    await raise(b);
    await readItem(table, a);
    await under;
    await raise(a);
    expect(rules.counts).toMatchObject({ conflicts: 0, refusedWrites: 1 });
  });

  test('transactions of different items pass, and of one item one after the other', async () => {
    using rules = underStoreRules(table);
    await Promise.all([transaction([[a, 1]]), transaction([[b, 1]]), transaction([[c, 1]])]);
    await transaction([[a, 2]]);
    expect(rules.counts).toMatchObject({ transactions: 4, conflicts: 0 });
  });

  test('a transaction that was carried out is answered again under its token', async () => {
    using rules = underStoreRules(table, { inFlightMs: 50 });
    const token = randomUUID();
    await transaction([[a, 1]], token);
    const other = transaction([[a, 2]]);
    await new Promise((resolve) => setTimeout(resolve, 10));
    await transaction([[a, 1]], token);
    await other;
    expect(await valueUnder(a)).toBe(2);
    expect(rules.counts.conflicts).toBe(0);
  });

  test('without it, and once the block is left, the store takes everything', async () => {
    {
      using rules = underStoreRules(table, { conflicts: false });
      await Promise.all([transaction([[a, 1]]), transaction([[a, 2]])]);
      expect(rules.counts).toMatchObject({ transactions: 2, conflicts: 0 });
    }
    await Promise.all([transaction([[a, 3]]), transaction([[a, 4]])]);
  });
});

describe('Under the rule of half a transaction', () => {
  beforeEach(async () => {
    await transaction([
      [a, 1],
      [b, 1],
    ]);
  });

  /** Returns the results of reads that began before a transaction, and reach the store when it is carried out. */
  async function seenMeanwhile(read: () => Promise<string>, values: Parameters<typeof transaction>[0]) {
    const { promise: isCarriedOut, resolve: carriedOut } = Promise.withResolvers<void>();
    // Added after the rules, so it is between them and the store.
    using _ = interceptAttempts(table, async ({ operation }, next) => {
      if (['Query', 'BatchGetItem'].includes(operation)) await isCarriedOut;
      return next();
    });
    const reading = Array.from({ length: 80 }, read);
    await nextTurn();
    await transaction(values);
    carriedOut();
    return new Set(await Promise.all(reading));
  }

  const shown = (items: readonly MarshalledItem[] = []) =>
    items
      .map(unmarshall)
      .map(({ sk, value }) => `${String(sk).at(-1)}${value}`)
      .toSorted()
      .join();
  // Sent as they are: the service makes one request of those that are the same.
  const viaQuery = async () => {
    const { pk } = environmentKeys.environments();
    const { Items } = await table.store.client.send('Query', {
      TableName: table.store.name,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: marshall({ ':pk': pk }),
      ConsistentRead: true,
    });
    return shown(Items);
  };
  const viaBatchGet = async () => {
    const Keys = [a, b, c].map(({ pk, sk }) => marshall({ pk, sk }));
    const RequestItems = { [table.store.name]: { Keys, ConsistentRead: true } };
    const { Responses } = await table.store.client.send('BatchGetItem', { RequestItems });
    return shown(Responses?.[table.store.name]);
  };
  const kinds = [
    ['a Query', viaQuery],
    ['a BatchGetItem', viaBatchGet],
  ] as const;

  test.each(kinds)('%s may see each item before or after, in any combination', async (_title, read) => {
    using rules = underStoreRules(table);
    const seen = await seenMeanwhile(read, [
      [a, 2],
      [b, 2],
    ]);
    expect([...seen].toSorted()).toEqual(['a1,b1', 'a1,b2', 'a2,b1', 'a2,b2']);
    expect(rules.counts.halfReads).toBeGreaterThan(0);
  });

  test('a Query of the index of events sees nothing of other items', async () => {
    using _rules = underStoreRules(table);
    const { name, partitionKey } = tableDefinition.eventLog;
    const read = async () => {
      const { Items } = await table.store.client.send('Query', {
        TableName: table.store.name,
        IndexName: name,
        KeyConditionExpression: '#log = :log',
        ExpressionAttributeNames: { '#log': partitionKey },
        ExpressionAttributeValues: marshall({ ':log': eventLogPartition }),
      });
      return shown(Items);
    };
    const seen = await seenMeanwhile(read, [
      [a, undefined],
      [b, undefined],
    ]);
    expect([...seen]).toEqual(['']);
  });

  test.each(kinds)('%s may miss what is new, and may still see what is gone', async (_title, read) => {
    using _rules = underStoreRules(table);
    const seen = await seenMeanwhile(read, [
      [a, undefined],
      [c, 1],
    ]);
    expect([...seen].toSorted()).toEqual(['a1,b1', 'a1,b1,c1', 'b1', 'b1,c1']);
  });

  test('a read that begins when the transaction is answered sees all of it', async () => {
    using _rules = underStoreRules(table);
    for (let value = 2; value < 40; value += 1) {
      const meanwhile = viaQuery();
      await transaction([
        [a, value],
        [b, value],
      ]);
      expect(await viaQuery()).toBe(`a${value},b${value}`);
      await meanwhile;
    }
  });

  test('no read sees what was before something that it or an earlier one has seen', async () => {
    using _rules = underStoreRules(table);
    const writing = (async () => {
      for (let value = 2; value < 30; value += 1) await transaction([[a, value]]);
    })();
    let last = 0;
    let isOver = false;
    void writing.finally(() => {
      isOver = true;
    });
    while (!isOver) {
      const value = (await valueUnder(a)) ?? 0;
      expect(value).toBeGreaterThanOrEqual(last);
      last = value;
    }
    await writing;
  });

  test('without it, reads see all or nothing', async () => {
    using rules = underStoreRules(table, { halfVisible: false });
    const seen = await seenMeanwhile(viaQuery, [
      [a, 2],
      [b, 2],
    ]);
    expect([...seen]).toEqual(['a2,b2']);
    expect(rules.counts.halfReads).toBe(0);
  });
});
