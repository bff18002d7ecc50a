import { describe, expect } from 'vitest';
import { eventsAddedBy, paths, readFeature } from '../../harness/features.ts';
import { ofFeatures, wholeStrategy } from '../../specifications/bodies.ts';
import { openTo, sharedWorld, specify, test } from '../../specifications/specify.ts';

specify('deleteFeatureLink', {
  route: 'DELETE /api/admin/projects/{projectId}/features/{featureName}/link/{linkId}',
  ...openTo('Member', 'UPDATE_FEATURE'),
  request: async (world) => ({ params: await world.link() }),
  again: 404,
});

test('Removing a link keeps the others, and its event names the link', async ({ service, world }) => {
  const { featureName: name, linkId } = await world.link();
  await service.post(`${paths.feature(name)}/link`, { url: 'https://example.com/8' });
  const remove = () => service.call('DELETE', `${paths.feature(name)}/link/${linkId}`);
  expect(await eventsAddedBy(service, name, remove)).toMatchObject([{ preData: { url: 'https://example.com/7' } }]);
  expect((await readFeature(service, name)).links).toMatchObject([{ url: 'https://example.com/8' }]);
});

specify('getFeatureEnvironment', {
  route: 'GET /api/admin/projects/{projectId}/features/{featureName}/environments/{environment}',
  may: 'any token',
  request: async (world) => ({ params: (await world.feature({ on: true })).place }),
  ofArchived: true,
});

test('The state of a feature in an environment is the same as in the feature, under the name of the feature', async ({
  service,
  world,
}) => {
  const { name } = await world.feature({ on: true, strategies: [{ name: 'default' }] });
  const path = `/api/admin/projects/default/features/${name}`;
  const { environments } = (await service.get(path)).body;
  for (const environment of environments) {
    const { status, body } = await service.get(`${path}/environments/${environment.name}`);
    const strategies = environment.strategies.map((strategy: object) => ({ ...strategy, featureName: name }));
    expect([status, body]).toEqual([200, { ...environment, name, strategies }]);
  }
  expect((await service.get(`${path}/environments/nowhere`)).status).toBe(404);
});

specify('getFeatureLifecycle', {
  route: 'GET /api/admin/projects/{projectId}/features/{featureName}/lifecycle',
  may: 'any token',
  request: async (world) => ({ params: (await world.feature()).place }),
  ofArchived: true,
});

describe('The stages of a feature', () => {
  const { service, world } = sharedWorld();
  const stages = async (name: string) => (await service.get(`${paths.feature(name)}/lifecycle`)).body;

  test('are listed from the first to the current one', async () => {
    const { name } = await world.feature();
    const { createdAt } = await readFeature(service, name);
    const initial = { stage: 'initial', enteredStageAt: createdAt };
    expect(await stages(name)).toEqual([initial]);
    const { archivedAt, lifecycle } = (await service.put(paths.feature(name), { archived: true })).body;
    expect(lifecycle).toEqual({ stage: 'archived', enteredStageAt: archivedAt });
    expect(await stages(name)).toEqual([initial, lifecycle]);
  });
});

specify('getFeatureStrategies', {
  route: 'GET /api/admin/projects/{projectId}/features/{featureName}/environments/{environment}/strategies',
  may: 'any token',
  request: async (world) => ({ params: (await world.feature({ on: true })).place }),
  misdescribed: 'a list; its document speaks of one strategy',
  ofArchived: true,
});

test('The strategies of a feature in an environment are listed in their order', async ({ service, world }) => {
  const feature = await world.feature();
  const last = await world.strategy(feature, { name: 'default', sortOrder: 7, disabled: true });
  const first = await world.strategy(feature, { name: 'default', sortOrder: -1 });
  const { body } = await service.get(paths.strategies(feature.name));
  expect(body.map(({ id }: { id: string }) => id)).toEqual([first, last]);
  expect(body[1]).toMatchObject({ name: 'default', disabled: true, sortOrder: 7 });
  expect((await service.get(paths.strategies(feature.name, 'production'))).body).toEqual([]);
});

specify('getFeatureStrategy', {
  route:
    'GET /api/admin/projects/{projectId}/features/{featureName}/environments/{environment}/strategies/{strategyId}',
  may: 'any token',
  request: async (world) => ({ params: await world.strategyPlace() }),
  ofArchived: true,
});

test('A strategy can only be read with its feature and environment', async ({ service, world }) => {
  const [feature, other] = await world.features(2);
  const { body } = await service.post(paths.strategies(feature?.name ?? ''), await wholeStrategy(world));
  const { featureName: _featureName, ...stored } = body;
  const read = (name = '', environment?: string) => service.get(`${paths.strategies(name, environment)}/${stored.id}`);
  expect(await read(feature?.name)).toMatchObject({ status: 200, body: stored });
  expect((await read(feature?.name)).body).not.toHaveProperty('featureName');
  expect(await read(feature?.name, 'production')).toMatchObject({ status: 404 });
  expect(await read(other?.name)).toMatchObject({ status: 404 });
});

specify('getFeatureVariants', {
  route: 'GET /api/admin/projects/{projectId}/features/{featureName}/variants',
  may: 'any token',
  request: async (world) => ({ params: (await world.feature()).place }),
  ofArchived: true,
});

test('The variants of a feature are those of the first environment', async ({ service, world }) => {
  const variants = [{ name: 'a', weight: 1000, weightType: 'variable', stickiness: 'default' }];
  const [first, second] = [
    await world.feature({ variants }),
    await world.feature({ variants, environment: 'production' }),
  ];
  const read = async (name: string) => (await service.get(`${paths.feature(name)}/variants`)).body;
  expect(await read(first.name)).toEqual({ version: 1, variants });
  expect(await read(second.name)).toEqual({ version: 1, variants: [] });
});

specify('listTags', {
  route: 'GET /api/admin/features/{featureName}/tags',
  may: 'any token',
  request: async (world) => ({
    params: (await world.feature({ tags: [{ type: await world.tagType(), value: world.name('tag') }] })).place,
  }),
  ofArchived: true,
});

test('The tags of a feature, also of an archived one, have the colors of their types', async ({ service, world }) => {
  const team = await world.tagType({ color: '#FF8800' });
  const tags = [
    { type: 'simple', value: 'new' },
    { type: team, value: 'shop' },
  ];
  for (const archived of [false, true]) {
    const { name } = await world.feature({ tags, archived });
    expect((await service.get(`/api/admin/features/${name}/tags`)).body).toEqual({
      version: 1,
      tags: [
        { type: 'simple', value: 'new', color: '#FFFFFF' },
        { type: team, value: 'shop', color: '#FF8800' },
      ],
    });
  }
});

specify('removeFavoriteFeature', {
  route: 'DELETE /api/admin/projects/{projectId}/features/{featureName}/favorites',
  unversioned: 'it changes what the caller sees, and nothing else',
  may: 'any token',
  request: async (world) => {
    const { place } = await world.feature();
    await world.ask('POST', `/api/admin/projects/${place.projectId}/features/${place.featureName}/favorites`);
    return { params: place };
  },
  ofArchived: true,
});

test('A favorite can be removed', async ({ service, world }) => {
  const { name } = await world.feature();
  const path = `${paths.feature(name)}/favorites`;
  for (const method of ['POST', 'DELETE']) await service.call(method, path);
  expect((await service.get(paths.feature(name))).body.favorite).toBe(false);
});

specify('removeTag', {
  route: 'DELETE /api/admin/features/{featureName}/tags/{type}/{value}',
  versionAt: 'GET /api/admin/projects/{projectId}/features/{featureName}',
  ...openTo('Member', 'UPDATE_FEATURE'),
  request: async (world) => {
    const tag = { type: await world.shared('tag type', () => world.tagType()), value: world.name('tag') };
    return { params: { ...(await world.feature({ tags: [tag] })).place, ...tag }, project: world.home.projectId };
  },
  takesAnyName: ['type', 'value'],
});

test('Removing a tag from a feature keeps its other tags, and has an event', async ({ service, world }) => {
  const tag = { type: 'simple', value: 'a/b & c?#ü 50%' };
  const other = { type: 'simple', value: 'other' };
  const { name } = await world.feature({ tags: [tag, other] });
  const remove = () => service.call('DELETE', `${paths.tags(name)}/simple/${encodeURIComponent(tag.value)}`);
  expect(await eventsAddedBy(service, name, remove)).toMatchObject([{ preData: tag, tags: [other] }]);
  expect((await readFeature(service, name)).tags).toEqual([other]);
});

specify('staleFeatures', {
  route: 'POST /api/admin/projects/{projectId}/stale',
  unversioned: 'it is about many things',
  ...openTo('Member', 'UPDATE_FEATURE'),
  request: (world) => ofFeatures(world, 1, {}, { stale: true }),
  others: { '50 features': (world) => ofFeatures(world, 50, {}, { stale: true }) },
  eachOf: 'live',
  required: ['features', 'stale'],
  differs: '404 for an unknown or an archived feature',
});

test('Features can be marked as stale and not stale, with events', async ({ service, world }) => {
  const features = await world.featureNames(2);
  const mark = (stale: boolean) => service.post(paths.bulk('stale'), { features, stale });
  const events = await eventsAddedBy(service, features[1] ?? '', async () => {
    for (const stale of [true, false]) await mark(stale);
  });
  expect(events.map(({ type }) => type)).toEqual(['feature-stale-on', 'feature-stale-off']);
  for (const name of features) expect(await readFeature(service, name)).toMatchObject({ stale: false });
});

specify('uncomplete', {
  route: 'POST /api/admin/projects/{projectId}/features/{featureName}/lifecycle/uncomplete',
  ...openTo('Member', 'UPDATE_FEATURE'),
  request: async (world) => {
    const { place } = await world.feature();
    const path = `/api/admin/projects/${place.projectId}/features/${place.featureName}/lifecycle/complete`;
    await world.ask('POST', path, { status: 'kept' });
    return { params: place };
  },
});

test('A feature that is marked as not completed returns to the stage before', async ({ service, world }) => {
  const { name } = await world.feature();
  const { lifecycle } = await readFeature(service, name);
  await service.post(`${paths.feature(name)}/lifecycle/complete`, { status: 'kept' });
  await service.call('POST', `${paths.feature(name)}/lifecycle/uncomplete`);
  expect((await readFeature(service, name)).lifecycle).toEqual(lifecycle);
});

specify('validateArchiveFeatures', {
  route: 'POST /api/admin/projects/{projectId}/archive/validate',
  ...openTo('Member', 'DELETE_FEATURE'),
  request: async (world) => ({ params: world.home, body: { features: [(await world.feature()).name] } }),
  eachOf: 'all',
  required: ['features'],
});

test('The check of archiving names parents of other features, and the removal of dependencies', async ({
  service,
  world,
}) => {
  const [parent = '', other = ''] = await world.featureNames(2);
  const { name: child } = await world.feature({ parents: [parent] });
  const answers: [string[], object][] = [
    [[other], { parentsWithChildFeatures: [], hasDeletedDependencies: false }],
    [[other, parent], { parentsWithChildFeatures: [parent], hasDeletedDependencies: true }],
    [[other, child], { parentsWithChildFeatures: [], hasDeletedDependencies: true }],
    [[child, parent, child], { parentsWithChildFeatures: [], hasDeletedDependencies: true }],
    [[], { parentsWithChildFeatures: [], hasDeletedDependencies: false }],
  ];
  for (const [features, body] of answers) {
    expect(await service.post(paths.bulk('archive/validate'), { features })).toMatchObject({ status: 200, body });
  }
});
