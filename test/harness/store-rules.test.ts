import { GetCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Key, keys, partitions } from '../../lib/table/keys.ts';
import { queryAll, readItem, readItems } from '../../lib/table/read.ts';
import type { Table } from '../../lib/table/table.ts';
import { underStoreRules } from './store-rules.ts';
import { freshTable } from './table.ts';

let table: Table;
beforeEach(async () => {
  table = await freshTable();
});

const [a, b, c] = ['a', 'b', 'c'].map(keys.environment) as [Key, Key, Key];

/** Puts items with a value in one transaction, and removes those without one. */
function transaction(values: readonly (readonly [Key, number | undefined])[], ClientRequestToken?: string) {
  const TableName = table.name;
  const TransactItems = values.map(([key, value]) =>
    value === undefined ? { Delete: { TableName, Key: { ...key } } } : { Put: { TableName, Item: { ...key, value } } },
  );
  return table.client.send(new TransactWriteCommand({ TransactItems, ClientRequestToken }));
}

const raise = (Key: Key) =>
  table.client.send(
    new UpdateCommand({
      TableName: table.name,
      Key,
      UpdateExpression: 'ADD amount :one',
      ExpressionAttributeValues: { ':one': 1 },
    }),
  );

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
    await table.client.send(new GetCommand({ TableName: table.name, Key: { ...a } }));
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
    await transaction([[a, 1]], 'token');
    const other = transaction([[a, 2]]);
    await new Promise((resolve) => setTimeout(resolve, 10));
    await transaction([[a, 1]], 'token');
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

  /** What many reads see that are under way while one transaction is carried out. */
  async function seenMeanwhile<T>(read: () => Promise<T>, values: Parameters<typeof transaction>[0]): Promise<T[]> {
    const reading = Array.from({ length: 60 }, async (_, index) => {
      await new Promise((resolve) => setTimeout(resolve, index / 10));
      return read();
    });
    await new Promise((resolve) => setTimeout(resolve, 3));
    await transaction(values);
    return Promise.all(reading);
  }

  /** All that a Query says, item by item. */
  const viaQuery = async () => {
    const items = await queryAll<Key & { value: number }>({ ...table }, partitions.environments());
    return items.map(({ sk, value }) => `${sk.at(-1)}${value}`).join();
  };
  const viaBatchGet = async () => {
    const items = await readItems<Key & { value: number }>({ ...table }, [a, b]);
    return items.map((item) => (item === undefined ? '-' : `${item.sk.at(-1)}${item.value}`)).join();
  };

  test.each([
    ['a Query', viaQuery],
    ['a BatchGetItem', viaBatchGet],
  ])('%s may see each item before or after, in any combination', async (_title, read) => {
    const seen = new Set<string>();
    for (let round = 1; seen.size < 4 && round < 50; round += 1) {
      using rules = underStoreRules(table);
      const [before, after] = [round, round + 1];
      for (const each of await seenMeanwhile(read, [
        [a, after],
        [b, after],
      ])) {
        seen.add(each.replaceAll(/\d+/g, (value) => ({ [before]: '=before', [after]: '=after' })[value] ?? '=else'));
      }
      expect(rules.counts.transactions).toBe(1);
    }
    expect([...seen].toSorted()).toEqual([
      'a=after,b=after',
      'a=after,b=before',
      'a=before,b=after',
      'a=before,b=before',
    ]);
  });

  test('what is new or gone may be missing or still there', async () => {
    const seen = new Set<string>();
    for (let round = 0; seen.size < 4 && round < 50; round += 1) {
      using _rules = underStoreRules(table);
      for (const each of await seenMeanwhile(viaQuery, [
        [a, undefined],
        [c, 1],
      ])) {
        seen.add(each);
      }
      await transaction([
        [a, 1],
        [c, undefined],
      ]);
    }
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
    for (const each of seen) expect(['a1,b1', 'a2,b2']).toContain(each);
    expect(rules.counts.halfReads).toBe(0);
  });
});
