import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { openSqliteStore } from '../../../../infra/local/sqlite/sqlite-store.ts';
import { compileCache } from '../../../harness/compile-cache.ts';
import { folderInTest } from '../../../harness/test-folder.ts';
import { asking } from './asking.ts';
import type { Filled } from './filling-process.ts';

/** A limit of each file, in blocks of 512 bytes, beyond which the system takes nothing, as a full disk does. */
const blocksMax = 2_000;

test('What the disk does not take is refused, reads are answered, and what was acknowledged is all that is there', async () => {
  const file = join(folderInTest(), 'flagstaff.db');
  const program = fileURLToPath(new URL('filling-process.ts', import.meta.url));
  const limited = `trap '' XFSZ; ulimit -f ${blocksMax}; exec "$0" "$@"`;
  const env = { ...process.env, ...compileCache() };
  const { stdout } = await promisify(execFile)('sh', ['-c', limited, process.execPath, program, file], { env });
  const { acknowledged, refusals, found }: Filled = JSON.parse(stdout);
  expect(acknowledged.length).toBeGreaterThan(5);
  expect(refusals).toEqual(
    refusals.map(() => expect.stringMatching(/^500 (disk I\/O error|database or disk is full)$/)),
  );
  expect(found).toEqual(acknowledged);

  const store = await openSqliteStore(file);
  onTestFinished(() => store.close());
  const ask = asking(store);
  const TableName = 'table';
  expect(await ask('PutItem', { TableName, Item: { pk: { S: 'p' }, sk: { S: 'later' } } })).toMatchObject({
    status: 200,
  });
  const { Items } = await ask('Scan', { TableName });
  expect(Items.map(({ sk }: { sk: { S: string } }) => sk.S)).toEqual([...acknowledged, 'later']);
});
