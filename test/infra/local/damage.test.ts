import { closeSync, copyFileSync, openSync, renameSync, rmSync, statSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openEmbeddedStore } from '../../../infra/local/embedded-store.ts';
import { openSqliteStore } from '../../../infra/local/sqlite/sqlite-store.ts';
import { requestFor } from '../../../lib/store/client/create.ts';
import { folderInTest } from '../../harness/test-folder.ts';
import { asking } from './sqlite/asking.ts';

// A file that is none, and one of a newer version, are in problems.test.ts.

const TableName = 'table';
const pageBytes = 4096;

/** A folder whose store has some thirty pages of items. */
async function filledFolder(): Promise<{ readonly directory: string; readonly file: string }> {
  const directory = folderInTest();
  const file = join(directory, 'flagstaff.db');
  const store = await openSqliteStore(file);
  const ask = asking(store);
  await ask('CreateTable', requestFor(TableName));
  const keys = Array.from({ length: 200 }, (_, index) => ({ pk: { S: 'p' }, sk: { S: String(index) } }));
  await Promise.all(keys.map((key) => ask('PutItem', { TableName, Item: { ...key, text: { S: 'x'.repeat(1000) } } })));
  await store.close();
  return { directory, file };
}

test.each([100, 10 * pageBytes])('a file that was cut off at %d bytes is refused with a sentence', async (bytes) => {
  const { directory, file } = await filledFolder();
  truncateSync(file, bytes);
  await expect(openEmbeddedStore(directory)).rejects.toThrow(
    /^The store in DATA_DIR ".*" cannot be opened: database disk image is malformed$/,
  );
});

test('what lies on a damaged page is refused with the reason, and what lies elsewhere is found', async () => {
  const { file } = await filledFolder();
  const damaged = openSync(file, 'r+');
  const last = statSync(file).size / pageBytes - 1;
  writeSync(damaged, Buffer.alloc(pageBytes, 0xab), 0, pageBytes, last * pageBytes);
  closeSync(damaged);
  const store = await openSqliteStore(file);
  const ask = asking(store);
  expect(await ask('Scan', { TableName })).toMatchObject({ status: 500, message: 'database disk image is malformed' });
  expect(await ask('GetItem', { TableName, Key: { pk: { S: 'p' }, sk: { S: '0' } } })).toMatchObject({ status: 200 });
  await store.close();
});

test.each(['flagstaff.db', 'flagstaff.db-wal', 'flagstaff.db-shm'])(
  'once %s is removed or replaced, no change is acknowledged, and reads go on',
  async (name) => {
    for (const replaces of [false, true]) {
      const { directory, file } = await filledFolder();
      const store = await openSqliteStore(file, { durability: replaces ? 'sync' : 'normal' });
      const ask = asking(store);
      const write = () => ask('PutItem', { TableName, Item: { pk: { S: 'p' }, sk: { S: 'new' } } });
      expect(await write()).toMatchObject({ status: 200 });
      const lost = join(directory, name);
      if (replaces) {
        copyFileSync(lost, `${lost}.other`);
        renameSync(`${lost}.other`, lost);
      } else {
        rmSync(lost);
      }
      const message = `${lost} was removed or replaced while it was in use.`;
      expect(await write()).toMatchObject({ status: 500, message });
      expect(await ask('GetItem', { TableName, Key: { pk: { S: 'p' }, sk: { S: 'new' } } })).toMatchObject({
        status: 200,
      });
      await store.close();
    }
  },
);
