import { expect, test, vi } from 'vitest';
import { freshService } from '../../../harness/service.ts';

test('A reset link that cannot be mailed without a sender is logged as a warning, once per process', async () => {
  const service = await freshService();
  vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
  for (const email of ['zoe@example.com', 'max@example.com'])
    expect((await service.post('/auth/reset/password-email', { email }, { token: null })).status).toBe(200);
  expect(process.emitWarning).toHaveBeenCalledTimes(1);
  expect(process.emitWarning).toHaveBeenCalledWith(expect.stringContaining('EMAIL_SENDER'));
});
