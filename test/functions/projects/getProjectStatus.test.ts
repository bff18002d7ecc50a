import { expect, test } from 'vitest';
import { addFeatures, paths, shopSeed } from '../../harness/features.ts';
import { freshService } from '../../harness/service.ts';
import { specify } from '../../specifications/specify.ts';

specify('getProjectStatus', {
  route: 'GET /api/admin/projects/{projectId}/status',
  may: 'any token',
  request: async (world) => ({ params: await world.projectWithFeature() }),
});

test('The status of a project says in which stages of life its features are, and what belongs to it', async () => {
  const service = await freshService(shopSeed);
  await addFeatures(service, ['one', 'two', 'archived', 'completed'], { project: 'shop' });
  await service.put(paths.feature('one', 'shop'), { stale: true });
  await service.put(paths.feature('archived', 'shop'), { archived: true });
  const complete = `${paths.feature('completed', 'shop')}/lifecycle/complete`;
  expect((await service.post(complete, { status: 'kept' })).status).toBe(200);
  expect((await service.get('/api/admin/projects/shop/status')).body).toEqual({
    // Of two days, where midnight passes meanwhile.
    activityCountByDate: expect.arrayContaining([
      { date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), count: expect.any(Number) },
    ]),
    resources: { apiTokens: 0, members: 0, segments: 1 },
    health: { current: 67 },
    technicalDebt: { current: 33 },
    lifecycleSummary: {
      initial: { averageDays: 0, currentFlags: 2 },
      preLive: { averageDays: null, currentFlags: 0 },
      live: { averageDays: null, currentFlags: 0 },
      completed: { averageDays: 0, currentFlags: 1 },
      archived: { currentFlags: 1, last30Days: 1 },
    },
    staleFlags: { total: 1 },
  });
});
