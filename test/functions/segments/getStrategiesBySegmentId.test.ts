import { expect } from 'vitest';
import { specify, test } from '../../specifications/specify.ts';

specify('getStrategiesBySegmentId', {
  route: 'GET /api/admin/segments/{id}/strategies',
  may: 'any token',
  request: async (world) => {
    const { id } = await world.segment();
    await world.strategy(await world.feature(), { name: 'default', segments: [id] });
    return { params: { id } };
  },
});

test('A segment shows the strategies that use it, and goes when the last of them does', async ({ service, world }) => {
  const segment = await world.segment();
  const feature = await world.feature({ on: true });
  const id = await world.strategy(feature, { name: 'default', segments: [segment.id] });
  const path = `/api/admin/segments/${segment.id}`;
  expect((await service.get(`${path}/strategies`)).body).toEqual({
    strategies: [
      {
        id,
        featureName: feature.name,
        projectId: 'default',
        environment: 'development',
        strategyName: 'default',
      },
    ],
    changeRequestStrategies: [],
  });
  expect(await service.call('DELETE', path)).toMatchObject({
    status: 409,
    body: {
      name: 'InUseError',
      message: `The segment "${segment.name}" is in use: the feature "${feature.name}" in "development".`,
    },
  });
  // A segment of another project could not be used here any more.
  const shop = await world.project();
  expect((await service.put(path, { name: segment.name, project: shop, constraints: [] })).status).toBe(409);
  expect((await service.put(path, { name: segment.name, project: 'default', constraints: [] })).status).toBe(204);
  const { projectId, featureName, environment } = feature.place;
  await service.call(
    'DELETE',
    `/api/admin/projects/${projectId}/features/${featureName}/environments/${environment}/strategies/${id}`,
  );
  expect((await service.get(`${path}/strategies`)).body.strategies).toEqual([]);
  expect((await service.call('DELETE', path)).status).toBe(204);
});
