import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { compiledSources } from '../../harness/compile-cache.ts';
import { folderInTest } from '../../harness/test-folder.ts';
import { answered, preparingCommands, snippetOf } from '../../prove/sdks/snippet.ts';
import { startRuntime } from './local-runtime.ts';
import { runShell, workingCopy } from './run-shell.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

test('The page of SDKs works from its top: the flags and tokens that it makes, the snippets of JavaScript, and these in an outage', async () => {
  const directory = folderInTest();
  const DATA_DIR = join(directory, 'data');
  const runtime = await startRuntime({ DATA_DIR });
  const { port } = new URL(runtime.url);
  const commands = `${preparingCommands()}echo "$APP_TOKEN $PAGE_TOKEN"`;
  const printed = await runShell(commands, await workingCopy(), { DATA_DIR, PORT: port, ...compiledSources() });
  const [APP_TOKEN = '', pageToken = ''] = printed.trim().split('\n').at(-1)?.split(' ') ?? [];
  await symlink(join(root, 'node_modules'), join(directory, 'node_modules'));
  const run = async (code: string) => {
    await using program = await startProgram(code, directory, { APP_TOKEN, TMPDIR: directory });
    return program.firstLine;
  };
  const headings = ['Node', 'Browser', 'OpenFeature on a server', 'OpenFeature in a page'];
  const [node = '', browser = '', ...others] = headings.map((each) => snippetOf(each, runtime.url, pageToken));
  // Values from an earlier run may differ from what the server says now.
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
