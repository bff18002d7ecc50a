import { expect, onTestFinished, test, vi } from 'vitest';
import { runCommand } from '../../../infra/commands/command.ts';
import { ApiError } from '../../../lib/errors.ts';

test('A store that fails a command is quoted, as where the disk is full', async () => {
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
