import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Database } from '../../../../infra/local/sqlite/database.ts';
import { folderInTest } from '../../../harness/test-folder.ts';

test('Of writes that belong together, none is kept where one fails, and nobody is told that theirs is', async () => {
  const database = new Database(join(folderInTest(), 'flagstaff.db'), 'sync');
  onTestFinished(() => database.close());
  const table = database.writing(() => database.addTable('table', '{}'));
  await database.kept();
  const row = (sk: string) => ({ pk: 'p', sk, bytes: 1, item: '{}', indexPk: null, indexSk: null, expiresAt: null });
  const none = { ...row('none'), item: null as never };
  database.writing(() => database.put(table, row('of another in this turn')));
  const failing = () => {
    for (const each of [row('one'), none]) database.put(table, each);
  };
  expect(() => database.writing(failing)).toThrow('NOT NULL');
  await expect(database.kept()).rejects.toThrow();
  const found = (sk: string) => database.reading(() => database.find(table, { pk: 'p', sk }));
  expect(['of another in this turn', 'one', 'none'].map(found)).toEqual([undefined, undefined, undefined]);
});
