import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Checkpoints } from '../../../../infra/local/sqlite/checkpoints.ts';

test('A log that could not be moved is not tried again with each change', async () => {
  const said = vi.spyOn(console, 'error').mockReturnValue();
  onTestFinished(() => said.mockRestore());
  const checkpoints = new Checkpoints('/nonexistent/flagstaff.db');
  checkpoints.consider(1_500);
  await vi.waitUntil(() => said.mock.calls.length === 1, { timeout: 20_000 });
  await nextTurn();
  checkpoints.consider(1_501);
  await checkpoints.close();
  expect(said.mock.calls).toEqual([[expect.stringMatching(/^The log of .* could not be moved into it: /)]]);
});
