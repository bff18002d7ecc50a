import { readdir, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openEmbeddedStore } from '../../../infra/local/embedded-store.ts';
import { makeSecret } from '../../../lib/identity/tokens/token.ts';
import { folderInTest } from '../../harness/test-folder.ts';
import { runProgram, startCommand } from '../commands/run-command.ts';
import { startRuntime } from './local-runtime.ts';

const anyRead = '/api/admin/environments';

test('the store in a folder is for this user alone, and open to commands while a server runs, and when none does', async () => {
  const DATA_DIR = join(folderInTest(), 'data');
  const runtime = await startRuntime({ DATA_DIR, INIT_ADMIN_API_TOKENS: makeSecret('admin') });
  const files = ['', 'flagstaff.db', 'flagstaff.db-wal'];
  const modes = await Promise.all(files.map(async (name) => (await stat(join(DATA_DIR, name))).mode & 0o777));
  expect(modes).toEqual([0o700, 0o600, 0o600]);

  const settings = { DYNAMODB_ENDPOINT: '', TABLE_NAME: '', DATA_DIR };
  const made = await startCommand('token', ['--admin', '--name', 'beside'], settings);
  expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\*:\*\.\S+\n$/) });
  expect(await runtime.status(anyRead, made.stdout.trim())).toBe(200);

  runtime.signal('SIGTERM');
  await runtime.ended;
  expect(await readdir(DATA_DIR)).toEqual(['flagstaff.db']);
  const listed = await runProgram('token', ['--list'], settings);
  expect(listed).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^[0-9a-f]{16} +admin +beside /m),
  });
  expect(await readdir(DATA_DIR)).toEqual(['flagstaff.db']);
});

test('a store may be a link to a file elsewhere', async () => {
  const [directory, elsewhere] = [folderInTest(), folderInTest()];
  await symlink(join(elsewhere, 'real.db'), join(directory, 'flagstaff.db'));
  await (await openEmbeddedStore(directory)).close();
  expect([await readdir(directory), await readdir(elsewhere)]).toEqual([['flagstaff.db'], ['real.db']]);
});

test.each([
  ['a folder without a store', async () => join(folderInTest(), 'none'), /^There is no store in DATA_DIR/],
  ['a store in memory', async () => ':memory:', /^Other processes cannot use a store in memory/],
])('a command says that it cannot use %s, and leaves nothing behind', async (_what, directory, message) => {
  const settings = { DYNAMODB_ENDPOINT: '', TABLE_NAME: '', DATA_DIR: await directory() };
  const { code, stderr } = await runProgram('token', ['--list'], settings);
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(message) });
  expect(stderr.trim().split('\n')).toHaveLength(1);
  await expect(stat(settings.DATA_DIR)).rejects.toThrow('ENOENT');
});
