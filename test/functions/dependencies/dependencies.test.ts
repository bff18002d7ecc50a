import { expect } from 'vitest';
import { eventsAddedBy, paths, readFeature, shopSeed } from '../../harness/features.ts';
import { freshService } from '../../harness/service.ts';
import { World } from '../../harness/world.ts';
import { openTo, specify, test } from '../../specifications/specify.ts';

specify('checkDependenciesExist', {
  route: 'GET /api/admin/projects/{projectId}/dependencies',
  may: 'any token',
  // Nobody has the list of a new project in memory.
  request: async (world) => ({ params: { projectId: await world.project() } }),
  differs: 'asks about the project, where Unleash asks about all',
});

test('A project has dependencies from the first one to the last one', async ({ service, world }) => {
  const exist = async () => (await service.get('/api/admin/projects/default/dependencies')).body;
  const parent = await world.feature();
  expect(await exist()).toBe(false);
  const child = await world.feature({ parents: [parent.name] });
  expect(await exist()).toBe(true);
  await service.call('DELETE', `${paths.feature(child.name)}/dependencies`);
  expect(await exist()).toBe(false);
});

specify('deleteFeatureDependencies', {
  route: 'DELETE /api/admin/projects/{projectId}/features/{featureName}/dependencies',
  ...openTo('Member', 'UPDATE_FEATURE_DEPENDENCY'),
  request: async (world) => {
    const parent = await world.shared('parent', () => world.feature());
    const { place } = await world.feature({ parents: [parent.name] });
    return { params: { projectId: place.projectId, featureName: place.featureName } };
  },
});

test('A feature depends on nothing any more, with one event for all parents', async ({ service, world }) => {
  const parents = await world.featureNames(2);
  const { name } = await world.feature({ parents });
  const events = await eventsAddedBy(service, name, async () => {
    for (const _ of [1, 2]) {
      const answer = await service.call('DELETE', `${paths.feature(name)}/dependencies`);
      expect(answer).toMatchObject({ status: 200, text: '' });
    }
  });
  expect(events).toMatchObject([{ type: 'feature-dependencies-removed', data: null, preData: null }]);
  expect((await readFeature(service, name)).dependencies).toEqual([]);
  for (const parent of parents) expect((await readFeature(service, parent)).children).toEqual([]);
});

specify('deleteFeatureDependency', {
  route: 'DELETE /api/admin/projects/{projectId}/features/{featureName}/dependencies/{parent}',
  ...openTo('Member', 'UPDATE_FEATURE_DEPENDENCY'),
  request: async (world) => {
    const parent = await world.shared('parent', () => world.feature());
    const { place } = await world.feature({ parents: [parent.name] });
    return { params: { projectId: place.projectId, featureName: place.featureName, parent: parent.name } };
  },
  again: 404,
});

test('A feature depends no more on one parent, and still on the others', async ({ service, world }) => {
  const [one, other] = (await world.featureNames(2)) as [string, string];
  const { name } = await world.feature({ parents: [one, other] });
  const events = await eventsAddedBy(service, name, () =>
    service.call('DELETE', `${paths.feature(name)}/dependencies/${one}`),
  );
  expect(events).toMatchObject([{ type: 'feature-dependency-removed', data: { feature: one } }]);
  expect((await readFeature(service, name)).dependencies).toMatchObject([{ feature: other }]);
  expect((await readFeature(service, one)).children).toEqual([]);
  expect((await readFeature(service, other)).children).toEqual([name]);
});

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
