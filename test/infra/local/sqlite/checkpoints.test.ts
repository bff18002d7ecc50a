import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Checkpoints } from '../../../../infra/local/sqlite/checkpoints.ts';

test('After a failed checkpoint, the next one waits until the log has grown again', async () => {
  const printed = vi.spyOn(console, 'error').mockReturnValue();
  onTestFinished(() => printed.mockRestore());
  const checkpoints = new Checkpoints('/nonexistent/flagstaff.db');
  checkpoints.startIfDue(1_500);
  await vi.waitUntil(() => printed.mock.calls.length === 1, { timeout: 20_000 });
  await nextTurn();
  checkpoints.startIfDue(1_501);
  await checkpoints.close();
  expect(printed.mock.calls).toEqual([[expect.stringMatching(/^The log of .* could not be moved into it: /)]]);
});
