import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { folderInTest } from '../../harness/test-folder.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** A folder that is the project's but for what is written into it. */
export async function workingCopy(): Promise<string> {
  const directory = folderInTest();
  for (const name of await readdir(root)) await symlink(join(root, name), join(directory, name));
  return directory;
}

/** Runs commands, and returns their output. Nothing of the tests' own environment leaks in, least of all the address of their store. */
export async function runShell(
  commands: string,
  cwd: string,
  environment: Readonly<Record<string, string>>,
): Promise<string> {
  const { PATH, HOME } = process.env;
  const shell = spawn('sh', ['-e'], { cwd, env: { PATH, HOME, ...environment }, stdio: ['pipe', 'pipe', 'pipe'] });
  shell.stdin.end(commands);
  const [printed, said, [code]] = await Promise.all([text(shell.stdout), text(shell.stderr), once(shell, 'exit')]);
  expect(code, said).toBe(0);
  return printed;
}
