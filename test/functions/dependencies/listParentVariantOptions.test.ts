import { expect, test } from 'vitest';
import { paths, shopSeed } from '../../harness/features.ts';
import { freshService } from '../../harness/service.ts';
import { World } from '../../harness/world.ts';
import { specify } from '../../specifications/specify.ts';

specify('listParentVariantOptions', {
  route: 'GET /api/admin/projects/{projectId}/features/{featureName}/parent-variants',
  may: 'any token',
  request: async (world) => {
    const { place } = await world.feature();
    return { params: { projectId: place.projectId, featureName: place.featureName } };
  },
  takesAnyName: ['featureName'],
});

test('The variants of a parent are those of all its environments and strategies, each once', async () => {
  const service = await freshService(shopSeed);
  const world = new World(service);
  const variant = (name: string) => ({ name, weight: 0, weightType: 'variable', stickiness: 'default' });
  const { name } = await world.feature({ variants: [variant('c'), variant('a')] });
  for (const environment of ['development', 'production']) {
    await service.post(paths.strategies(name, environment), {
      name: 'flexibleRollout',
      variants: [variant('b'), variant('a')],
    });
  }
  const options = (project: string, parent: string) => service.get(`${paths.feature(parent, project)}/parent-variants`);
  expect(await options('default', name)).toMatchObject({ status: 200, body: ['a', 'b', 'c'] });
  // Unleash's pages ask with the name of the project.
  expect(await options('default', 'default')).toMatchObject({ status: 200, body: [] });
  expect(await options('shop', name)).toMatchObject({ status: 200, body: [] });
});
