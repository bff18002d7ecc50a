import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Database } from '../../../../infra/local/sqlite/database.ts';
import { folderInTest } from '../../../harness/test-folder.ts';

test('A failed write rolls back all writes of its turn, and no request gets a success', async () => {
  const database = new Database(join(folderInTest(), 'flagstaff.db'), 'sync');
  onTestFinished(() => database.close());
  const table = database.write(() => database.addTable('table', '{}'));
  await database.commitAndFlush();
  const row = (sk: string) => ({ pk: 'p', sk, bytes: 1, item: '{}', indexPk: null, indexSk: null, expiresAt: null });
  const invalid = { ...row('invalid'), item: null as never };
  database.write(() => database.put(table, row('from another request')));
  const failing = () => {
    database.put(table, row('valid'));
    database.put(table, invalid);
  };
  expect(() => database.write(failing)).toThrow('NOT NULL');
  await expect(database.commitAndFlush()).rejects.toThrow();
  const find = (sk: string) => database.read(() => database.find(table, { pk: 'p', sk }));
  expect(['from another request', 'valid', 'invalid'].map(find)).toEqual([undefined, undefined, undefined]);
});

test('The version of a file changes with the commits of other processes, and with nothing else', async () => {
  const file = join(folderInTest(), 'flagstaff.db');
  const [database, elsewhere] = [new Database(file, 'sync'), new Database(file, 'sync')];
  onTestFinished(async () => void (await Promise.all([database.close(), elsewhere.close()])));
  const before = database.readVersion();
  database.write(() => database.addTable('own', '{}'));
  await database.commitAndFlush();
  expect(database.readVersion()).toBe(before);
  elsewhere.write(() => elsewhere.addTable('other', '{}'));
  await elsewhere.commitAndFlush();
  const after = database.readVersion();
  expect(after).toBeGreaterThan(before);
  expect(database.readVersion()).toBe(after);
});
