import { describe, expect, test } from 'vitest';
import { paths, readFeature } from '../../harness/features.ts';
import { sharedWorld, specify } from '../../specifications/specify.ts';

specify('getFeatureLifecycle', {
  route: 'GET /api/admin/projects/{projectId}/features/{featureName}/lifecycle',
  may: 'any token',
  request: async (world) => ({ params: (await world.feature()).place }),
  ofArchived: true,
});

describe('The stages of a feature', () => {
  const { service, world } = sharedWorld();
  const stages = async (name: string) => (await service.get(`${paths.feature(name)}/lifecycle`)).body;

  test('are listed from the first on, with the one that it is in as the last', async () => {
    const { name } = await world.feature();
    const { createdAt } = await readFeature(service, name);
    const initial = { stage: 'initial', enteredStageAt: createdAt };
    expect(await stages(name)).toEqual([initial]);
    const { archivedAt, lifecycle } = (await service.put(paths.feature(name), { archived: true })).body;
    expect(lifecycle).toEqual({ stage: 'archived', enteredStageAt: archivedAt });
    expect(await stages(name)).toEqual([initial, lifecycle]);
  });

  test('begin again when it is revived', async () => {
    const { name } = await world.feature();
    await service.post(`${paths.feature(name)}/lifecycle/complete`, { status: 'kept' });
    await service.put(paths.feature(name), { archived: true });
    const { lifecycle } = (await service.put(paths.feature(name), { archived: false })).body;
    expect(await stages(name)).toEqual([lifecycle]);
    expect(lifecycle.stage).toBe('initial');
  });
});
