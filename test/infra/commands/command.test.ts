import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test, vi } from 'vitest';
import { runCommand } from '../../../infra/commands/command.ts';
import { ApiError } from '../../../lib/errors.ts';
import { programOf, roomForNew } from '../../harness/programs.ts';

test('The error of a store that fails a command is printed, such as that of a full disk', async () => {
  const said = vi.spyOn(console, 'error').mockReturnValue();
  onTestFinished(() => {
    process.exitCode = undefined;
    said.mockRestore();
  });
  const cause = new Error('database or disk is full');
  const failure = Object.assign(new ApiError('ServiceUnavailable', 'The store is busy.'), { cause });
  await runCommand({ name: 'any', help: '', run: (): Promise<void> => Promise.reject(failure) }, []);
  expect(said.mock.calls).toEqual([['The store is busy. (database or disk is full)']]);
});

test('A command whose output is lost, such as a new token on a full disk, does not end with success', async () => {
  const full = openSync('/dev/full', 'w');
  onTestFinished(() => closeSync(full));
  const command = spawn(process.execPath, [roomForNew, programOf('infra/commands/token.ts'), '--help'], {
    stdio: ['ignore', full, 'pipe'],
  });
  const [said] = await Promise.all([text(command.stderr as NodeJS.ReadableStream), once(command, 'close')]);
  expect(said).toBe('The output cannot be written: ENOSPC: no space left on device, write\n');
  expect(command.exitCode).toBe(1);
});
