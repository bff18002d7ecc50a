import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openEmbeddedStore } from '../../../infra/local/embedded-store.ts';
import { openStore } from '../../../lib/store/client/open-store.ts';
import * as keys from '../../../lib/store/keys.ts';
import { startDynamoDbServer } from '../../harness/dynamodb-server.ts';
import { fillFresh } from '../../harness/fresh-content.ts';
import { contentOf } from '../../harness/items.ts';
import { freshTable } from '../../harness/table.ts';
import { folderInTest } from '../../harness/test-folder.ts';
import { startRuntime } from './local-runtime.ts';

/** A folder with the store of release 0.2, and what that keeps. */
async function earlierStore() {
  const directory = folderInTest();
  // It kept its data by this program.
  const earlier = await startDynamoDbServer({ file: join(directory, 'store.db') });
  const table = await freshTable(earlier.endpoint);
  const token = await fillFresh(table);
  const content = await contentOf(table);
  expect(content.length).toBeGreaterThan(40);
  await earlier.stop();

  /** The content as this release finds it. */
  async function found() {
    const store = await openEmbeddedStore(directory);
    const { name } = table.store;
    const all = await contentOf({ ...table, store: openStore({ name, endpoint: store.address }) });
    await store.close();
    return all;
  }
  const files = async () => (await readdir(directory)).toSorted();
  return { directory, TABLE_NAME: table.store.name, token, content, found, files };
}

/** Keeps the lines that go to stderr until the test ends. */
function printedLines() {
  const print = vi.spyOn(console, 'error').mockImplementation(() => {});
  onTestFinished(() => print.mockRestore());
  return () => print.mock.calls.flat();
}

test('Data of release 0.2 and earlier ones are moved at the first start, with a message, and their file is kept', async () => {
  const { directory, content, found, files } = await earlierStore();
  const lines = printedLines();
  for (const start of ['the first', 'the next']) expect(await found(), start).toEqual(content);
  expect(await files()).toEqual(['flagstaff.db', 'lock', 'store-0.2.db']);
  expect(lines()).toEqual([
    expect.stringMatching(/^The data of release 0\.2 were moved to .*flagstaff\.db.*store-0\.2\.db/),
  ]);
  await writeFile(join(directory, 'store.db'), 'of a later run of it');
  expect(await found()).toEqual(content);
  expect(await files()).toEqual(['flagstaff.db', 'lock', 'store-0.2.db', 'store.db']);
  expect(lines()[1]).toMatch(/store\.db is ignored: release 0\.2 ran/);
});

test('After that, release 0.2 does not start there, and creates no other store', async () => {
  const { directory, found } = await earlierStore();
  // It was killed, say: its lock is left.
  await writeFile(join(directory, 'lock'), '');
  /** Locks the folder as that release does before all else. */
  function lockAsEarlier() {
    using database = new DatabaseSync(join(directory, 'lock'), { timeout: 0 });
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  }
  expect(lockAsEarlier).not.toThrow();
  await found();
  expect(lockAsEarlier).toThrow('file is not a database');
  expect(await readFile(join(directory, 'lock'), 'utf8')).toContain('rename store-0.2.db to store.db');
});

test('While that release runs, the start is refused and its files do not change', async () => {
  const { directory, files } = await earlierStore();
  using running = new DatabaseSync(join(directory, 'store.db'));
  running.exec('BEGIN; SELECT * FROM _tables');
  const open = await files();
  expect(open).toContain('store.db-shm');
  await expect(openEmbeddedStore(directory)).rejects.toThrow('stop it first');
  expect(await files()).toEqual(expect.arrayContaining(open));
});

test('Nothing is moved from a file with an unreadable item, and everything after its repair', async () => {
  const { directory, TABLE_NAME, content, found } = await earlierStore();
  function changeLast(to: string): void {
    using earlier = new DatabaseSync(join(directory, 'store.db'));
    earlier.exec(`UPDATE "${TABLE_NAME}" SET item_json = ${to} WHERE rowid = (SELECT max(rowid) FROM "${TABLE_NAME}")`);
  }
  changeLast("'!' || item_json");
  await expect(openEmbeddedStore(directory)).rejects.toThrow('JSON');
  changeLast('substr(item_json, 2)');
  expect(await found()).toEqual(content);
});

test('Servers that start at the same time move the data once, and serve them', async () => {
  const { directory: DATA_DIR, TABLE_NAME, token, content, found, files } = await earlierStore();
  const servers = await Promise.all([1, 2].map(() => startRuntime({ DATA_DIR, TABLE_NAME })));
  expect(await Promise.all(servers.map((each) => each.status('/api/admin/projects', token)))).toEqual([200, 200]);
  for (const server of servers) server.signal('SIGTERM');
  const endings = await Promise.all(servers.map(({ ended }) => ended));
  expect(endings.map(({ code }) => code)).toEqual([0, 0]);
  expect(endings.flatMap(({ problems }) => problems)).toEqual([expect.stringContaining('were moved to')]);
  // With the password of the first administrator came an event.
  const unchanged = content.filter(({ pk }) => pk !== keys.counter('event').pk);
  expect(await found()).toEqual(expect.arrayContaining(unchanged));
  expect(await files()).toEqual(['flagstaff.db', 'lock', 'store-0.2.db']);
});
