import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { insecureLocalToken } from '../../../infra/local/insecure-token.ts';
import { compiledSources } from '../../harness/compile-cache.ts';
import { folderInTest } from '../../harness/test-folder.ts';
import { Flags } from '../../prove/sdks/flags.ts';
import { answered, snippetOf } from '../../prove/sdks/snippet.ts';
import { startRuntime } from './local-runtime.ts';

const modules = fileURLToPath(new URL('../../../node_modules', import.meta.url));

test('The snippets of JavaScript work as they stand, and in an outage as the page says', async () => {
  const runtime = await startRuntime();
  const flags = new Flags({ url: runtime.url, token: insecureLocalToken });
  await flags.make();
  const APP_TOKEN = await flags.token('client');
  const directory = folderInTest();
  await symlink(modules, join(directory, 'node_modules'));
  const run = async (code: string) => {
    await using program = await startProgram(code, directory, { APP_TOKEN, TMPDIR: directory });
    return program.firstLine;
  };
  const headings = ['Node', 'Browser', 'OpenFeature on a server', 'OpenFeature in a page'];
  const [node = '', browser = '', ...others] = await Promise.all(headings.map((each) => snippetOf(each, flags)));
  // What an earlier run has kept is not what the server says now.
  const features = [{ name: 'new-checkout', enabled: false, strategies: [] }];
  await writeFile(join(directory, 'unleash-backup-shop.json'), JSON.stringify({ version: 2, features }));
  await using first = await startProgram(node, directory, { APP_TOKEN, TMPDIR: directory });
  expect(first.firstLine).toBe(answered);
  await first.ended;
  for (const code of [browser, ...others]) expect(await run(code), code).toBe(answered);

  runtime.signal('SIGKILL', 'group');
  await runtime.ended;
  expect(await run(node)).toBe(answered);
  expect(await run(others[0] ?? '')).toBe('false red');
  expect(await run(others[1] ?? '')).toBeUndefined();
});

/** A program that has printed a line, or has ended without one. It ends with the block that uses it. */
async function startProgram(code: string, cwd: string, env: Readonly<Record<string, string>>) {
  const file = join(cwd, 'snippet.mjs');
  await writeFile(file, code);
  const child = spawn(process.execPath, [file], {
    cwd,
    env: { ...compiledSources(), ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = once(child, 'exit');
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  return {
    firstLine: (await lines.next()).value as string | undefined,
    ended,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
