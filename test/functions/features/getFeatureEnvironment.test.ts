import { expect } from 'vitest';
import { specify, test } from '../../specifications/specify.ts';

specify('getFeatureEnvironment', {
  route: 'GET /api/admin/projects/{projectId}/features/{featureName}/environments/{environment}',
  may: 'any token',
  request: async (world) => ({ params: (await world.feature({ on: true })).place }),
  ofArchived: true,
});

test('What a feature is in an environment is what the feature itself says of it', async ({ service, world }) => {
  const { name } = await world.feature({ on: true, strategies: [{ name: 'default' }] });
  const path = `/api/admin/projects/default/features/${name}`;
  const { environments } = (await service.get(path)).body;
  for (const environment of environments) {
    expect((await service.get(`${path}/environments/${environment.name}`)).body).toEqual(environment);
  }
  expect((await service.get(`${path}/environments/nowhere`)).status).toBe(404);
});
