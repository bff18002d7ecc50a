import { expect, onTestFinished, test, vi } from 'vitest';
import { readSeed } from '../../lib/imports/seed/seed-data.ts';
import { freshService } from './service.ts';

test('The content of a fresh store is of the time of the machine, whatever time a test has set', async () => {
  const hourMs = 3_600_000;
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + hourMs });
  onTestFinished(() => void vi.useRealTimers());
  const service = await freshService(readSeed({ features: [{ name: 'seeded' }] }));
  const { events } = (await service.get('/api/admin/events')).body;
  const [newest] = events.map(({ createdAt }: { createdAt: string }) => createdAt);
  expect(Date.parse(newest)).toBeLessThanOrEqual(vi.getRealSystemTime());
  expect(Date.now() - Date.parse(newest)).toBeGreaterThan(hourMs - 60_000);
});
