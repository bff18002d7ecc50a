import { expect, test } from 'vitest';
import { newTokenOf, shopSeed } from '../../harness/features.ts';
import { freshService } from '../../harness/service.ts';
import { specify } from '../../specifications/specify.ts';

specify('getPersonalDashboardProjectDetails', {
  route: 'GET /api/admin/personal-dashboard/{projectId}',
  may: 'any token',
  request: async (world) => ({ params: await world.projectWithFeature() }),
  // The newest events are looked up, and then read.
  waits: 2,
});

test('It tells the newest events, the roles of the caller, and how the project stands', async () => {
  const service = await freshService(shopSeed);
  const token = await newTokenOf(service, { username: 'zoe', inProject: { project: 'shop', role: 'Member' } });
  for (const name of ['a_b', 'two']) await service.post('/api/admin/projects/shop/features', { name }, { token });
  const { body } = await service.get('/api/admin/personal-dashboard/shop', { token });
  expect(body.roles).toEqual([{ id: 5, name: 'Member', type: 'project' }]);
  expect(body.owners).toEqual([{ ownerType: 'system' }]);
  expect(body.latestEvents[1]).toMatchObject({
    createdBy: 'zoe',
    summary: '**zoe** created **a\\_b** of the project **shop**',
  });
  expect(body.onboardingStatus).toEqual({ status: 'first-flag-created', feature: 'a_b' });
  const { totalFlags, activeFlags } = body.insights;
  expect([totalFlags, activeFlags]).toEqual([totalFlags, totalFlags]);
  await service.call('PUT', '/api/admin/projects/shop/features/two', { body: { stale: true } });
  const { insights } = (await service.get('/api/admin/personal-dashboard/shop', { token })).body;
  // An admin UI shows what is missing from it to 100 as technical debt.
  expect(insights.technicalDebt).toBeGreaterThan(0);
  expect(insights).toMatchObject({ avgHealthCurrentWindow: 100 - insights.technicalDebt, avgHealthPastWindow: null });
  expect(await service.get('/api/admin/personal-dashboard/nowhere')).toMatchObject({ status: 404 });
});
