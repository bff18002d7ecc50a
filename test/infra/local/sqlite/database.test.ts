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
