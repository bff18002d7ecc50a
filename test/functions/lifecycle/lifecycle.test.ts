import { expect } from 'vitest';
import { addFeatures, paths, shopSeed } from '../../harness/features.ts';
import { freshService } from '../../harness/service.ts';
import { specify, test } from '../../specifications/specify.ts';

specify('getFeatureLifecycleStageCount', {
  route: 'GET /api/admin/lifecycle/count',
  may: 'any token',
  // Nobody has the list of a new project in memory.
  given: (world) => world.project(),
  waits: 2,
});

test('The stages of all features, archived ones included, are counted as they change', async ({ service, world }) => {
  const counts = async () => (await service.get('/api/admin/lifecycle/count')).body;
  const none = { initial: 0, preLive: 0, live: 0, completed: 0, archived: 0 };
  expect(await counts()).toEqual(none);
  const { name } = await world.feature();
  await world.feature({ project: await world.project() });
  await world.feature({ archived: true });
  expect(await counts()).toEqual({ ...none, initial: 2, archived: 1 });
  await service.post(`${paths.feature(name)}/lifecycle/complete`, { status: 'kept' });
  expect(await counts()).toEqual({ ...none, initial: 1, completed: 1, archived: 1 });
});

specify('getLifecycleInsights', {
  route: 'GET /api/admin/insights/lifecycle',
  may: 'any token',
  request: async (world) => ({ query: { projects: await world.project() } }),
  waits: 2,
});

test('Features are counted by the part of their life and by what they are for, in the projects that are named', async () => {
  const service = await freshService(shopSeed);
  await addFeatures(service, ['one', 'two', 'three'], { project: 'shop' });
  await service.put(paths.feature('two', 'shop'), { type: 'experiment' });
  await service.post(`${paths.feature('three', 'shop')}/lifecycle/complete`, { status: 'kept' });
  const trends = async (query: string) =>
    (await service.get(`/api/admin/insights/lifecycle?projects=${query}`)).body.lifecycleTrends;
  const none = { newFlagsThisWeek: 0, flagsOlderThanWeek: 0 };
  const one = { newFlagsThisWeek: 1, flagsOlderThanWeek: 0 };
  const times = { medianDaysInCurrentStage: 0, medianDaysHistorically: 0 };
  expect(await trends('shop')).toEqual({
    develop: { totalFlags: 2, ...times, categories: { experimental: one, release: one, permanent: none } },
    production: { totalFlags: 0, ...times, categories: { experimental: none, release: none, permanent: none } },
    cleanup: { totalFlags: 1, ...times, categories: { experimental: none, release: one, permanent: none } },
  });
  expect((await trends('')).develop.totalFlags).toBe(2);
  expect((await trends('default,nowhere')).develop.totalFlags).toBe(0);
});
