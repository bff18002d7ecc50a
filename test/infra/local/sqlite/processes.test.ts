import { fork } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openSqliteStore } from '../../../../infra/local/sqlite/sqlite-store.ts';
import { buildCreateTableInput } from '../../../../lib/store/client/tables.ts';
import { compiledSources } from '../../../harness/compile-cache.ts';
import { folderInTest } from '../../../harness/test-folder.ts';
import { createAsk } from './create-ask.ts';
import type { IncrementJob } from './increment-process.ts';

const TableName = 'table';
const counter = { pk: { S: 'counter' }, sk: { S: 'of all' } };

const newFile = () => join(folderInTest(), 'flagstaff.db');

async function openStore(file: string | undefined) {
  const store = await openSqliteStore(file);
  onTestFinished(() => store.close());
  return createAsk(store);
}

/** Opens the file as another program. */
function openElsewhere(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: 10_000 });
  onTestFinished(() => database.close());
  return database;
}

test('Three processes that increment a counter with a condition lose no increment', async () => {
  const file = newFile();
  const ask = await openStore(file);
  await ask('CreateTable', buildCreateTableInput(TableName));
  await ask('PutItem', { TableName, Item: { ...counter, n: { N: '0' } } });
  const program = fileURLToPath(new URL('increment-process.ts', import.meta.url));
  const job: IncrementJob = { file, TableName, times: 100 };
  const children = Array.from({ length: 3 }, () =>
    fork(program, { env: { ...process.env, ...compiledSources() }, execArgv: [] }),
  );
  const codes = children.map(async (child) => {
    child.send(job);
    const [code] = await once(child, 'exit');
    return code;
  });
  expect(await Promise.all(codes)).toEqual([0, 0, 0]);
  expect((await ask('GetItem', { TableName, Key: counter, ConsistentRead: true })).Item.n).toEqual({ N: '300' });
});

test('While another process writes, reads are answered, and writes wait without blocking, at last with a ThrottlingException', async () => {
  const file = newFile();
  const ask = await openStore(file);
  await ask('CreateTable', buildCreateTableInput(TableName));
  const writer = openElsewhere(file);
  writer.exec('BEGIN IMMEDIATE');
  const put = () => ask('PutItem', { TableName, Item: counter });

  const waiting = put();
  expect((await ask('Scan', { TableName })).Items).toEqual([]);
  // If the store blocked this thread, the writer could not continue.
  writer.exec('ROLLBACK');
  expect(await waiting).toMatchObject({ status: 200 });

  writer.exec('BEGIN IMMEDIATE');
  expect(await put()).toMatchObject({ status: 400, __type: expect.stringMatching(/#ThrottlingException$/) });
});

test('A transaction gets a ThrottlingException if another process prevents its commit, and a retry is carried out', async () => {
  const ask = await openStore(newFile());
  await ask('CreateTable', buildCreateTableInput(TableName));
  const put = { TransactItems: [{ Put: { TableName, Item: counter } }], ClientRequestToken: 'token' };
  const { run } = StatementSync.prototype;
  const failing = vi.spyOn(StatementSync.prototype, 'run').mockImplementation(function (
    this: StatementSync,
    ...values
  ) {
    if (this.sourceSQL !== 'COMMIT') return run.apply(this, values);
    throw Object.assign(new Error('locking protocol'), { errcode: 15 });
  });
  onTestFinished(() => failing.mockRestore());
  expect(await ask('TransactWriteItems', put)).toMatchObject({
    status: 400,
    __type: expect.stringMatching(/#ThrottlingException$/),
  });
  failing.mockRestore();

  expect(await ask('TransactWriteItems', put)).toMatchObject({ status: 200 });
  expect((await ask('Scan', { TableName })).Items).toEqual([counter]);
});

test('The log stays small during a long series of writes, also while another process reads', async () => {
  const file = newFile();
  const [ask, askElsewhere] = [await openStore(file), await openStore(file)];
  await ask('CreateTable', buildCreateTableInput(TableName));
  const text = { S: 'x'.repeat(100_000) };
  for (let written = 0; written < 40_000_000; written += 16 * 100_000) {
    const keys = Array.from({ length: 16 }, (_, index) => ({ pk: { S: 'large' }, sk: { S: String(index) } }));
    await Promise.all([
      ...keys.map((key) => ask('PutItem', { TableName, Item: { ...key, text } })),
      askElsewhere('Scan', { TableName }),
    ]);
    // Without pauses, the loop could be faster than the disk.
    await sleep(5);
  }
  await vi.waitFor(() => expect(statSync(`${file}-wal`).size).toBeLessThan(30_000_000), { timeout: 20_000 });
});
