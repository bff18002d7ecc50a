import { expect, test } from 'vitest';
import { paths, shopSeed } from '../../harness/features.ts';
import { freshService } from '../../harness/service.ts';
import { World } from '../../harness/world.ts';
import { specify } from '../../specifications/specify.ts';

specify('listParentOptions', {
  route: 'GET /api/admin/projects/{projectId}/features/{featureName}/parents',
  may: 'any token',
  request: async (world) => {
    // Nobody has the list of a new project in memory.
    const { place } = await world.feature({ project: await world.project() });
    return { params: { projectId: place.projectId, featureName: place.featureName } };
  },
  ofArchived: true,
});

test('A feature can depend on the live ones of its project that depend on none', async () => {
  const service = await freshService(shopSeed);
  const world = new World(service);
  const options = async (name: string) => (await service.get(`${paths.feature(name)}/parents`)).body;
  const [parent, other] = [await world.feature(), await world.feature()];
  const child = await world.feature({ parents: [parent.name] });
  await world.feature({ archived: true });
  await world.feature({ project: 'shop' });
  expect(await options(child.name)).toEqual([parent.name, other.name]);
  expect(await options(parent.name)).toEqual([other.name]);
  await service.put(paths.feature(other.name), { archived: true });
  expect(await options(child.name)).toEqual([parent.name]);
});
