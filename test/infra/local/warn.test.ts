import { expect, onTestFinished, test, vi } from 'vitest';
import { startSchedules } from '../../../infra/local/schedules.ts';
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
  const schedules = startSchedules();
  await schedules.close();
  return said.mock.calls.map(String);
}

test('Failed background work is printed once for many retries', async () => {
  const away = 'Applying scheduled change requests or sending mails failed, and will be tried again';
  expect(await saidWhileAway('ERROR')).toEqual([]);
  expect(await saidWhileAway('INFO')).toEqual([expect.stringMatching(new RegExp(`^${away} \\(.+\\)\\.$`))]);
});
