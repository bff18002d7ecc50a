import { describe, expect } from 'vitest';
import { eventsAddedBy, paths, problemPaths, readFeature, shopSeed } from '../../harness/features.ts';
import { freshService } from '../../harness/service.ts';
import { World } from '../../harness/world.ts';
import { openTo, sharedWorld, specify, test } from '../../specifications/specify.ts';

const variants = [{ name: 'blue', weight: 1000, weightType: 'variable', stickiness: 'default' }];

specify('addFeatureDependency', {
  route: 'POST /api/admin/projects/{projectId}/features/{featureName}/dependencies',
  ...openTo('Member', 'UPDATE_FEATURE_DEPENDENCY'),
  request: async (world) => {
    const parent = await world.shared('parent with a variant', () => world.feature({ variants }));
    return { params: (await world.feature()).place, body: { feature: parent.name, enabled: true, variants: ['blue'] } };
  },
  required: ['feature'],
  differs: '400 for a parent that cannot be one, and 404 for an unknown one, where Unleash answers 403',
});

describe('A dependency', () => {
  const { service, world } = sharedWorld(shopSeed);
  const depend = (child: string, body: object) => service.post(`${paths.feature(child)}/dependencies`, body);

  test('shows in the child and in the parent', async () => {
    const [child, parent] = [await world.feature(), await world.feature()];
    expect(await depend(child.name, { feature: parent.name })).toMatchObject({ status: 200, text: '' });
    const dependency = { feature: parent.name, enabled: true, variants: [] };
    expect((await readFeature(service, child.name)).dependencies).toEqual([dependency]);
    expect((await readFeature(service, parent.name)).children).toEqual([child.name]);
  });

  test('replaces all before, on the same parent and on others, with events of both', async () => {
    const [one, other, third] = (await world.featureNames(3)) as [string, string, string];
    const { name } = await world.feature({ parents: [one, other] });
    const events = await eventsAddedBy(service, name, async () => {
      for (const body of [
        { feature: one, variants: ['blue'] },
        { feature: one, enabled: false, variants: ['nosuch'] },
        { feature: third },
      ]) {
        expect(await depend(name, body)).toMatchObject({ status: 200 });
        const { feature, enabled = true, variants = [] } = body;
        const dependency = { feature, enabled, variants: enabled ? variants : [] };
        expect((await readFeature(service, name)).dependencies).toEqual([dependency]);
        expect((await readFeature(service, feature)).children).toEqual([name]);
      }
    });
    expect(events.map(({ type }) => type.slice('feature-'.length))).toEqual([
      'dependencies-removed',
      ...Array(2).fill('dependency-added'),
      'dependencies-removed',
      'dependency-added',
    ]);
    for (const parent of [one, other]) expect((await readFeature(service, parent)).children).toEqual([]);
  });

  test('can name variants that the parent does not have yet', async () => {
    const [child, parent] = [await world.feature(), await world.feature()];
    const dependency = { feature: parent.name, enabled: true, variants: ['blue', 'green'] };
    expect(await depend(child.name, dependency)).toMatchObject({ status: 200 });
    expect((await readFeature(service, child.name)).dependencies).toEqual([dependency]);
  });

  test.each([
    ['itself', async () => 'self'],
    ['an archived parent', async () => (await world.feature({ archived: true })).name],
    ['a parent of another project', async () => (await world.feature({ project: 'shop' })).name],
    ['a parent that has a parent', async () => (await world.feature({ parents: [(await world.feature()).name] })).name],
  ])('on %s is refused', async (_, make) => {
    const { name } = await world.feature();
    const parent = await make();
    const answer = await depend(name, { feature: parent === 'self' ? name : parent });
    expect(problemPaths(answer)).toEqual(['feature']);
    expect((await readFeature(service, name)).dependencies).toEqual([]);
  });

  test('on a feature that is unknown is a 404, as it is of an archived one', async () => {
    const [{ name }, archived] = [await world.feature(), await world.feature({ archived: true })];
    expect(await depend(name, { feature: 'nosuch' })).toMatchObject({
      status: 404,
      body: { details: [{ path: 'feature' }] },
    });
    expect(await depend(archived.name, { feature: name })).toMatchObject({ status: 404 });
  });

  test('of a feature that has children is refused: a parent has no parent', async () => {
    const parent = await world.feature();
    await world.feature({ parents: [parent.name] });
    expect(await depend(parent.name, { feature: (await world.feature()).name })).toMatchObject({ status: 400 });
  });

  test('makes no chain and no circle, whatever comes at the same time', async () => {
    for (let round = 0; round < 2; round += 1) {
      const [a, b, c] = (await world.featureNames(3)) as [string, string, string];
      const answers = await Promise.all([
        depend(a, { feature: b }),
        depend(b, { feature: c }),
        depend(c, { feature: a }),
      ]);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      for (const name of [a, b, c]) {
        const { dependencies, children } = await readFeature(service, name);
        expect(dependencies.length > 0 && children.length > 0).toBe(false);
      }
    }
  });
});

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
    return { params: (await world.feature({ parents: [parent.name] })).place };
  },
});

test('A feature depends on nothing any more', async ({ service, world }) => {
  const parents = await world.featureNames(2);
  const { name } = await world.feature({ parents });
  await service.call('DELETE', `${paths.feature(name)}/dependencies`);
  expect((await readFeature(service, name)).dependencies).toEqual([]);
  for (const parent of parents) expect((await readFeature(service, parent)).children).toEqual([]);
});

specify('deleteFeatureDependency', {
  route: 'DELETE /api/admin/projects/{projectId}/features/{featureName}/dependencies/{parent}',
  ...openTo('Member', 'UPDATE_FEATURE_DEPENDENCY'),
  request: async (world) => {
    const parent = await world.shared('parent', () => world.feature());
    return { params: { ...(await world.feature({ parents: [parent.name] })).place, parent: parent.name } };
  },
  again: 404,
});

test('A feature depends no more on one parent, and still on the others', async ({ service, world }) => {
  const [one, other] = (await world.featureNames(2)) as [string, string];
  const { name } = await world.feature({ parents: [one, other] });
  await service.call('DELETE', `${paths.feature(name)}/dependencies/${one}`);
  expect((await readFeature(service, name)).dependencies).toMatchObject([{ feature: other }]);
  expect((await readFeature(service, one)).children).toEqual([]);
  expect((await readFeature(service, other)).children).toEqual([name]);
});

specify('listParentOptions', {
  route: 'GET /api/admin/projects/{projectId}/features/{featureName}/parents',
  may: 'any token',
  // Nobody has the list of a new project in memory.
  request: async (world) => ({ params: (await world.feature({ project: await world.project() })).place }),
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
  request: async (world) => ({ params: (await world.feature()).place }),
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
