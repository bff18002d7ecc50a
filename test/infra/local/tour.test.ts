import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { compiledSources } from '../../harness/compile-cache.ts';
import { startLocalProcess } from '../../harness/local-process.ts';
import { folderInTest } from '../../harness/test-folder.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

test('The tour of the README works as it stands there, and works again', async () => {
  // As in a fresh clone: an empty setting counts as none.
  const environment = { INIT_ADMIN_API_TOKENS: '', ...compiledSources() };
  await using server = await startLocalProcess({ store: 'file', environment });
  const directory = await workingCopy();
  for (let run = 0; run < 2; run += 1) {
    const printed = await runShell(await tourFor(server.url), directory, {
      DATA_DIR: server.directory,
      ...compiledSources(),
    });
    for (const line of printed.split('\n').filter((each) => each.startsWith('{'))) {
      expect(JSON.parse(line), line).not.toHaveProperty('message');
    }
    const [, served] = /(\d+) of 1000 users get the new checkout/.exec(printed) ?? [];
    expect(Number(served), printed).toBeGreaterThan(50);
    expect(Number(served), printed).toBeLessThan(150);
  }
});

/** The commands of the section, for a server on another port. */
async function tourFor(url: string): Promise<string> {
  const readme = await readFile(join(root, 'README.md'), 'utf8');
  const [, tour = ''] = /\n## A tour\n(.*?)\n## /s.exec(readme) ?? [];
  const blocks = [...tour.matchAll(/```sh\n(.*?)```/gs)].map(([, commands]) => commands);
  expect(blocks.length).toBeGreaterThan(2);
  return blocks.join('').replaceAll('http://localhost:4242', url);
}

/** A folder that is the project's but for what is written into it. */
async function workingCopy(): Promise<string> {
  const directory = folderInTest();
  for (const name of await readdir(root)) await symlink(join(root, name), join(directory, name));
  return directory;
}

/** Output of commands. Nothing of the tests' own environment leaks in, least of all the address of their store. */
async function runShell(commands: string, cwd: string, environment: Readonly<Record<string, string>>): Promise<string> {
  const { PATH, HOME } = process.env;
  const shell = spawn('sh', ['-e'], { cwd, env: { PATH, HOME, ...environment }, stdio: ['pipe', 'pipe', 'pipe'] });
  shell.stdin.end(commands);
  const [printed, said, [code]] = await Promise.all([text(shell.stdout), text(shell.stderr), once(shell, 'exit')]);
  expect(code, said).toBe(0);
  return printed;
}
