import { closeSync, copyFileSync, openSync, renameSync, rmSync, statSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { openEmbeddedStore } from '../../../infra/local/embedded-store.ts';
import { insecureLocalToken } from '../../../infra/local/insecure-token.ts';
import { openSqliteStore } from '../../../infra/local/sqlite/sqlite-store.ts';
import { buildCreateTableInput } from '../../../lib/store/client/tables.ts';
import { folderInTest } from '../../harness/test-folder.ts';
import { startRuntime } from './local-runtime.ts';
import { createAsk } from './sqlite/create-ask.ts';

// A file that is none, and one of a newer version, are in problems.test.ts.

const TableName = 'table';
const pageBytes = 4096;

/** A folder whose store has some thirty pages of items. */
async function filledFolder(): Promise<{ readonly directory: string; readonly file: string }> {
  const directory = folderInTest();
  const file = join(directory, 'flagstaff.db');
  const store = await openSqliteStore(file);
  const ask = createAsk(store);
  await ask('CreateTable', buildCreateTableInput(TableName));
  const keys = Array.from({ length: 200 }, (_, index) => ({ pk: { S: 'p' }, sk: { S: String(index) } }));
  await Promise.all(keys.map((key) => ask('PutItem', { TableName, Item: { ...key, text: { S: 'x'.repeat(1000) } } })));
  await store.close();
  return { directory, file };
}

test.each([100, 10 * pageBytes])('a file that was cut off at %d bytes is refused with one sentence', async (bytes) => {
  const { directory, file } = await filledFolder();
  truncateSync(file, bytes);
  await expect(openEmbeddedStore(directory)).rejects.toThrow(
    /^The store in DATA_DIR ".*" cannot be opened: database disk image is malformed: move .*flagstaff.db away .* restore a backup\.$/,
  );
});

test('a read of a damaged page is refused with the reason, and other reads succeed', async () => {
  const { file } = await filledFolder();
  const damaged = openSync(file, 'r+');
  const last = statSync(file).size / pageBytes - 1;
  writeSync(damaged, Buffer.alloc(pageBytes, 0xab), 0, pageBytes, last * pageBytes);
  closeSync(damaged);
  const store = await openSqliteStore(file);
  const ask = createAsk(store);
  store.assertSound();
  const message = `database disk image is malformed: move ${file} away while no server runs, and restore a backup.`;
  expect(await ask('Scan', { TableName })).toMatchObject({ status: 500, message });
  expect(() => store.assertSound()).toThrow(message);
  expect(await ask('GetItem', { TableName, Key: { pk: { S: 'p' }, sk: { S: '0' } } })).toMatchObject({ status: 200 });
  await store.close();
});

test.each(['flagstaff.db', 'flagstaff.db-wal', 'flagstaff.db-shm'])(
  'after %s is deleted or replaced, no change is acknowledged, but reads succeed',
  async (name) => {
    for (const replaces of [false, true]) {
      const { directory, file } = await filledFolder();
      const store = await openSqliteStore(file, { durability: replaces ? 'sync' : 'normal' });
      const ask = createAsk(store);
      const write = () => ask('PutItem', { TableName, Item: { pk: { S: 'p' }, sk: { S: 'new' } } });
      expect(await write()).toMatchObject({ status: 200 });
      const lost = join(directory, name);
      if (replaces) {
        copyFileSync(lost, `${lost}.other`);
        renameSync(`${lost}.other`, lost);
      } else {
        rmSync(lost);
      }
      const message = `${lost} was removed or replaced while it was in use: stop the server, and put the store or a backup into an empty folder.`;
      expect(() => store.assertSound()).toThrow(message);
      expect(await write()).toMatchObject({ status: 500, message });
      expect(await ask('GetItem', { TableName, Key: { pk: { S: 'p' }, sk: { S: 'new' } } })).toMatchObject({
        status: 200,
      });
      await store.close();
    }
  },
);

/** A store whose log holds its last changes, and a way to make one more. */
async function storeWithLog() {
  const { file } = await filledFolder();
  const store = await openSqliteStore(file);
  onTestFinished(() => store.close());
  const ask = createAsk(store);
  const write = (sk: string) => ask('PutItem', { TableName, Item: { pk: { S: 'p' }, sk: { S: sk } } });
  for (const sk of ['one', 'two', 'three']) expect(await write(sk)).toMatchObject({ status: 200 });
  return { file, log: `${file}-wal`, store, write };
}

const cutOff = (log: string) =>
  `${log} was cut off while it was in use, and changes are lost: stop the server, and put a backup into an empty folder, or start it again without them.`;

test.each([
  ['all', () => 0],
  ['the last byte', (bytes: number) => bytes - 1],
])('after %s of the log is cut off, no change is acknowledged', async (_what, bytesLeft) => {
  const { log, store, write } = await storeWithLog();
  store.assertSound();
  truncateSync(log, bytesLeft(statSync(log).size));
  const message = cutOff(log);
  for (const sk of ['four', 'five']) {
    expect(await write(sk)).toMatchObject({ status: 500, message });
    expect(() => store.assertSound()).toThrow(message);
  }
});

test('a read of data that were lost with the log is refused with the reason', async () => {
  const { file, log } = await storeWithLog();
  // It has read nothing yet that it could remember.
  const another = await openSqliteStore(file);
  onTestFinished(() => another.close());
  truncateSync(log, 0);
  const message = cutOff(log);
  expect(await createAsk(another)('Scan', { TableName })).toMatchObject({ status: 500, message });
  expect(() => another.assertSound()).toThrow(message);
});

test('a log that SQLite itself has emptied does not count as damaged', async () => {
  const { file, log, store, write } = await storeWithLog();
  using another = new DatabaseSync(file);
  another.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  expect(statSync(log).size).toBe(0);
  store.assertSound();
  expect(await write('four')).toMatchObject({ status: 200 });
  store.assertSound();
});

test('a server whose file was deleted is not ready, and does not tell callers to retry', async () => {
  const DATA_DIR = folderInTest();
  const runtime = await startRuntime({ DATA_DIR });
  expect(await runtime.status('/ready', '')).toBe(200);
  rmSync(join(DATA_DIR, 'flagstaff.db'));
  const create = () => runtime.ask('/api/admin/projects/default/features', insecureLocalToken, { name: 'late' });
  for (const answer of [await runtime.ask('/ready', ''), await create()]) {
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '60']);
    const message = expect.stringMatching(/^The store is damaged, deleted or replaced\. Trying again does not help;/);
    expect(await answer.json()).toMatchObject({ name: 'ServiceUnavailable', message });
  }
  expect(await runtime.status('/api/admin/environments', insecureLocalToken)).toBe(200);
  runtime.signal('SIGTERM');
  const { problems } = await runtime.ended;
  expect(problems.join()).toMatch(/flagstaff\.db was removed or replaced while it was in use: stop the server/);
});

test('a server whose log is cut off is not ready and refuses changes, and starts again without the lost ones', async () => {
  const DATA_DIR = folderInTest();
  const runtime = await startRuntime({ DATA_DIR });
  const create = (name: string) =>
    runtime.ask('/api/admin/projects/default/features', insecureLocalToken, { name }).then(({ status }) => status);
  expect([await create('lost'), await runtime.status('/ready', '')]).toEqual([201, 200]);
  truncateSync(join(DATA_DIR, 'flagstaff.db-wal'), 0);
  expect([await runtime.status('/ready', ''), await create('late')]).toEqual([503, 503]);
  runtime.signal('SIGTERM');
  const { problems } = await runtime.ended;
  expect(problems.join()).toMatch(/flagstaff\.db-wal was cut off while it was in use, and changes are lost/);
  const again = await startRuntime({ DATA_DIR });
  expect(await again.status('/ready', '')).toBe(200);
  expect(await again.status('/api/admin/projects/default/features/lost', insecureLocalToken)).toBe(404);
});
