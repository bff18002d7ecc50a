import { expect, onTestFinished, test, vi } from 'vitest';
import { startClock } from '../../../infra/local/clock.ts';
import { freshTable } from '../../harness/table.ts';

/** The lines on stderr while schedules are applied from a store that is gone. */
async function saidWhileAway(level: string): Promise<string[]> {
  const said = vi.spyOn(console, 'error').mockReturnValue();
  said.mockClear();
  onTestFinished(() => said.mockRestore());
  vi.stubEnv('LOG_FORMAT', 'text');
  vi.stubEnv('LOG_LEVEL', level);
  await freshTable();
  vi.stubEnv('TABLE_NAME', 'gone');
  const clock = startClock();
  await clock.close();
  return said.mock.calls.map(String);
}

test('Failed background work is printed once for many retries', async () => {
  const away = 'Work of the clock, such as applying scheduled change requests, failed, and will be tried again';
  expect(await saidWhileAway('ERROR')).toEqual([]);
  expect(await saidWhileAway('INFO')).toEqual([expect.stringMatching(new RegExp(`^${away} \\(.+\\)\\.$`))]);
});
