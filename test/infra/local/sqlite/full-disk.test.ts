import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { openSqliteStore } from '../../../../infra/local/sqlite/sqlite-store.ts';
import { compileCache } from '../../../harness/compile-cache.ts';
import { folderInTest } from '../../../harness/test-folder.ts';
import { createAsk } from './create-ask.ts';
import type { FillResult } from './fill-process.ts';

/** The maximum size of each file in blocks of 512 bytes. Beyond it, writes fail as on a full disk. */
const maxBlocks = 2_000;

test('On a full disk, writes are refused, reads are answered, and exactly the acknowledged writes are stored', async () => {
  const file = join(folderInTest(), 'flagstaff.db');
  const program = fileURLToPath(new URL('fill-process.ts', import.meta.url));
  const limited = `trap '' XFSZ; ulimit -f ${maxBlocks}; exec "$0" "$@"`;
  const env = { ...process.env, ...compileCache() };
  const { stdout } = await promisify(execFile)('sh', ['-c', limited, process.execPath, program, file], { env });
  const { acknowledged, refusals, stored }: FillResult = JSON.parse(stdout);
  expect(acknowledged.length).toBeGreaterThan(5);
  expect(refusals).toEqual(
    refusals.map(() => expect.stringMatching(/^500 (disk I\/O error|database or disk is full)$/)),
  );
  expect(stored).toEqual(acknowledged);

  const store = await openSqliteStore(file);
  onTestFinished(() => store.close());
  const ask = createAsk(store);
  const TableName = 'table';
  expect(await ask('PutItem', { TableName, Item: { pk: { S: 'p' }, sk: { S: 'later' } } })).toMatchObject({
    status: 200,
  });
  const { Items } = await ask('Scan', { TableName });
  expect(Items.map(({ sk }: { sk: { S: string } }) => sk.S)).toEqual([...acknowledged, 'later']);
});
