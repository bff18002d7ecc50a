import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openSqliteStore } from '../../../../infra/local/sqlite/sqlite-store.ts';
import { buildCreateTableInput } from '../../../../lib/store/client/tables.ts';
import { folderInTest } from '../../../harness/test-folder.ts';
import { createAsk } from './create-ask.ts';

const TableName = 'table';
const creation = buildCreateTableInput(TableName);
const key = { pk: { S: 'p' }, sk: { S: 's' } };
const item = { ...key, log: { S: 'L' }, at: { S: '1' }, about: { S: 'x' } };
const put = { TableName, Item: item };
const newFile = () => join(folderInTest(), 'flagstaff.db');

async function openStore(file?: string) {
  const store = await openSqliteStore(file);
  onTestFinished(() => store.close());
  return createAsk(store);
}

test('A table is described as it was created', async () => {
  const ask = await openStore();
  const [index] = creation.GlobalSecondaryIndexes ?? [];
  const described = {
    ...creation,
    TableStatus: 'ACTIVE',
    GlobalSecondaryIndexes: [{ ...index, IndexStatus: 'ACTIVE' }],
  };
  expect((await ask('CreateTable', creation)).TableDescription).toEqual(described);
  expect((await ask('DescribeTable', { TableName })).Table).toEqual(described);
});

test('A table that another process creates, deletes and creates again is visible at once, and empty', async () => {
  const file = newFile();
  const [ask, askElsewhere] = [await openStore(file), await openStore(file)];
  for (const _round of ['first', 'second']) {
    expect(await ask('PutItem', put)).toMatchObject({ status: 400 });
    expect(await askElsewhere('CreateTable', creation)).toMatchObject({ status: 200 });
    expect((await ask('Scan', { TableName })).Items).toEqual([]);
    expect(await ask('PutItem', put)).toMatchObject({ status: 200 });
    expect((await askElsewhere('Scan', { TableName })).Items).toEqual([item]);
    await askElsewhere('DeleteTable', { TableName });
    expect(await askElsewhere('Scan', { TableName })).toMatchObject({ status: 400 });
  }
});

test('A table without an index stores items, and refuses requests for an index', async () => {
  const ask = await openStore();
  const { GlobalSecondaryIndexes, ...plain } = creation;
  expect((await ask('CreateTable', plain)).TableDescription).toEqual({ ...plain, TableStatus: 'ACTIVE' });
  const { ConsumedCapacity } = await ask('PutItem', { ...put, ReturnConsumedCapacity: 'TOTAL' });
  expect(ConsumedCapacity.CapacityUnits).toBe(1);
  expect((await ask('Scan', { TableName })).Items).toEqual([item]);
  expect(await ask('Scan', { TableName, IndexName: 'eventLog' })).toMatchObject({ status: 400 });
});

test.each([{ ProjectionType: 'KEYS_ONLY' }, undefined])(
  'An index with the projection %j contains only keys',
  async (Projection) => {
    const ask = await openStore();
    const GlobalSecondaryIndexes = creation.GlobalSecondaryIndexes?.map((index) => ({ ...index, Projection }));
    await ask('CreateTable', { ...creation, GlobalSecondaryIndexes });
    await ask('PutItem', put);
    const { about, ...keys } = item;
    expect((await ask('Scan', { TableName, IndexName: 'eventLog' })).Items).toEqual([keys]);
  },
);

test('A key may have the maximum length of DynamoDB', async () => {
  const ask = await openStore();
  await ask('CreateTable', creation);
  const Item = { pk: { S: 'p'.repeat(2048) }, sk: { S: 's'.repeat(1024) } };
  expect(await ask('PutItem', { TableName, Item })).toMatchObject({ status: 200 });
});

test('An item is removed within two minutes after it expires, if the time is a whole number of seconds', async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const ask = await openStore();
  await ask('CreateTable', creation);
  const seconds = Math.floor(Date.now() / 1000);
  const notExpired = [{ N: String(seconds + 3600) }, { N: '-1' }, { N: '1.5' }, { S: '1' }, undefined];
  const expired = [{ N: '1' }, ...Array.from({ length: 250 }, () => ({ N: String(seconds - 1) }))];
  const items = [...notExpired, ...expired].map((expiresAtSeconds, index) => ({
    ...key,
    sk: { S: String(index) },
    ...(expiresAtSeconds && { expiresAtSeconds }),
  }));
  for (const Item of items) await ask('PutItem', { TableName, Item });
  vi.advanceTimersByTime(120_000);
  await vi.waitFor(async () => expect((await ask('Scan', { TableName })).Items).toEqual(items.slice(0, 5)), {
    timeout: 20_000,
  });
});
