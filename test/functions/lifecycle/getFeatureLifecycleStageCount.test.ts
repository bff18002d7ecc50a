import { expect } from 'vitest';
import { paths } from '../../harness/features.ts';
import { specify, test } from '../../specifications/specify.ts';

specify('getFeatureLifecycleStageCount', {
  route: 'GET /api/admin/lifecycle/count',
  may: 'any token',
  // Nobody has the list of a new project in memory.
  request: async (world) => {
    await world.project();
    return {};
  },
  waits: 2,
});

test('The stages of all features are counted, in all projects and the archive, as they are after each change', async ({
  service,
  world,
}) => {
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
