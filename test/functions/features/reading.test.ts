import { describe, expect, test } from 'vitest';
import * as projectKeys from '../../../lib/projects/keys.ts';
import { queryAll } from '../../../lib/store/read.ts';
import { addFeatures, eventsAddedBy, importFileParts, paths, shopSeed } from '../../harness/features.ts';
import { sharedWorld, specify } from '../../specifications/specify.ts';

const { service, world } = sharedWorld(shopSeed);

specify('getFeature', {
  route: 'GET /api/admin/projects/{projectId}/features/{featureName}',
  may: 'any token',
  request: async (world) => ({
    params: (await world.feature({ on: true })).place,
    query: { variantEnvironments: 'true' },
  }),
});

describe('A feature', () => {
  const newFeature = async (project?: string) => (await world.feature({ project })).name;
  const get = (name: string, options: { project?: string; etag?: string } = {}) =>
    service.call('GET', paths.feature(name, options.project), {
      headers: options.etag === undefined ? {} : { 'if-none-match': options.etag },
    });

  test('has the same form as in the reply to an update, with its parents and children', async () => {
    await addFeatures(service, ['parent', 'child']);
    await importFileParts(service, {
      features: [{ name: 'child' }],
      dependencies: [{ feature: 'child', dependencies: [{ feature: 'parent' }] }],
    });
    for (const name of ['parent', 'child']) {
      const { body } = await service.put(paths.feature(name), {});
      expect((await get(name)).body).toEqual(body);
    }
    expect((await get('parent')).body.children).toEqual(['child']);
    expect((await get('child')).body.dependencies).toEqual([{ feature: 'parent', enabled: true, variants: [] }]);
  });

  test('has the variants of all of its environments, each name once', async () => {
    const name = await newFeature();
    const variant = (of: string, weight: number) => ({ name: of, weight, weightType: 'fix', stickiness: 'default' });
    const rest = { name: 'rest', weight: 0, weightType: 'variable', stickiness: 'default' };
    for (const [environment, fixed] of [
      ['development', variant('blue', 100)],
      ['production', variant('red', 200)],
    ] as const) {
      const path = `${paths.feature(name)}/environments/${environment}/variants`;
      expect((await service.put(path, [fixed, rest])).status).toBe(200);
    }
    const { variants } = (await get(name)).body;
    expect(variants).toMatchObject([{ name: 'blue' }, { name: 'rest', weight: 800 }, { name: 'red', weight: 200 }]);
  });

  test('is a 404 that names the reason while it is archived', async () => {
    const name = await newFeature();
    await service.put(paths.feature(name), { archived: true });
    expect(await get(name)).toMatchObject({ status: 404, body: { message: `The feature "${name}" is archived.` } });
    await service.put(paths.feature(name), { archived: false });
    expect((await get(name)).status).toBe(200);
  });

  test('is a 304 until it or the environments of its project change', async () => {
    const name = await newFeature('shop');
    const etag = async () => String((await get(name, { project: 'shop' })).headers.etag);
    const first = await etag();
    expect(await get(name, { project: 'shop', etag: first })).toMatchObject({ status: 304, text: '' });
    await service.put(paths.feature(name, 'shop'), { stale: true });
    expect(await get(name, { project: 'shop', etag: first })).toMatchObject({ status: 200, body: { stale: true } });
    const second = await etag();
    await service.post('/api/admin/projects/shop/environments', { environment: 'production' });
    const answer = await get(name, { project: 'shop', etag: second });
    expect(answer).toMatchObject({ status: 200, body: { environments: { length: 3 } } });
  });
});

specify('getFeatures', {
  route: 'GET /api/admin/projects/{projectId}/features',
  may: 'any token',
  // A project that the process has not read before: of a cached project, it reads only the changes.
  request: async (world) => {
    const params = await world.projectWithFeature({ on: true, tags: [{ type: 'simple', value: 'beta' }] });
    return { params, query: { tag: 'simple:beta', namePrefix: 'feature' } };
  },
  takesAnyName: ['projectId'],
});

const listed = async (project: string) => (await service.get(`/api/admin/projects/${project}/features`)).body.features;

describe('The features of a project', () => {
  test('are empty for an unknown project, as on Unleash', async () => {
    expect(await listed('nowhere')).toEqual([]);
  });

  test('are the live ones, by name, each with its states in the environments of the project', async () => {
    const project = await world.project({ environments: ['development', 'production'] });
    const tags = [{ type: 'simple', value: 'beta' }];
    const { name } = await world.feature({ project, on: true, description: 'All', tags });
    await world.feature({ project, archived: true });
    await world.feature();
    const [feature, ...others] = await listed(project);
    expect(others).toEqual([]);
    const environment = { lastSeenAt: null, variantCount: 0 };
    const on = { enabled: true, hasStrategies: true, hasEnabledStrategies: true };
    const off = { enabled: false, hasStrategies: false, hasEnabledStrategies: false };
    expect(feature).toMatchObject({ name, project, description: 'All', type: 'release', stale: false, tags });
    expect(feature.environments).toEqual([
      { name: 'development', type: 'development', sortOrder: 2, ...environment, ...on },
      { name: 'production', type: 'production', sortOrder: 3, ...environment, ...off },
    ]);
  });

  test('show each change immediately after its reply', async () => {
    const project = await world.project();
    const { name } = await world.feature({ project });
    expect(await listed(project)).toMatchObject([{ name, stale: false }]);
    for (const stale of [true, false]) {
      await world.ask('PUT', `/api/admin/projects/${project}/features/${name}`, { stale });
      expect(await listed(project)).toMatchObject([{ name, stale }]);
    }
    await world.ask('PUT', `/api/admin/projects/${project}/features/${name}`, { archived: true });
    expect(await listed(project)).toEqual([]);
  });

  test('are filtered by any of the given tags, and by the prefix of the name, ignoring case', async () => {
    const project = await world.project();
    const tag = (value: string) => ({ tags: [{ type: 'simple', value }] });
    const [beta, late, plain] = [
      (await world.feature({ project, ...tag('beta') })).name,
      (await world.feature({ project, ...tag('at: 9:30') })).name,
      (await world.feature({ project })).name,
    ];
    const asked = async (query: string) =>
      (await service.get(`/api/admin/projects/${project}/features?${query}`)).body.features.map(
        ({ name }: { name: string }) => name,
      );
    expect(await asked('tag=simple:beta')).toEqual([beta]);
    expect(await asked('tag=simple:beta&tag=simple:at:%209:30')).toEqual([beta, late].toSorted());
    expect(await asked('tag[]=simple:beta')).toEqual([beta]);
    expect(await asked('tag=team:beta')).toEqual([]);
    expect(await asked(`namePrefix=${plain.toUpperCase()}`)).toEqual([plain]);
    expect(await asked(`namePrefix=${plain}&tag=simple:beta`)).toEqual([]);
    expect(await asked('namePrefix=eature')).toEqual([]);
    expect(await asked('namePrefix=&tag=')).toEqual([beta, late, plain].toSorted());
  });

  test('are a 400 for a tag without a type', async () => {
    const reply = await service.get('/api/admin/projects/default/features?tag=beta');
    expect(reply).toMatchObject({ status: 400, body: { details: [{ path: 'tag.0' }] } });
  });
});

specify('addFavoriteFeature', {
  route: 'POST /api/admin/projects/{projectId}/features/{featureName}/favorites',
  unversioned: 'it changes what the caller sees, and nothing else',
  may: 'any token',
  request: async (world) => ({ params: (await world.feature()).place }),
  ofArchived: true,
});

describe('A favorite', () => {
  const as = async () => ({ headers: { authorization: await world.token() } });
  const add = (name: string, user: object = {}) => service.call('POST', `${paths.feature(name)}/favorites`, user);
  const isFavorite = async (name: string, user: object = {}) =>
    (await service.call('GET', paths.feature(name), user)).body.favorite;

  test('belongs only to the user who added it', async () => {
    const { name } = await world.feature();
    const [alice, bob] = [await as(), await as()];
    expect(await add(name, alice)).toMatchObject({ status: 200, text: '' });
    expect([await isFavorite(name, alice), await isFavorite(name, bob), await isFavorite(name)]).toEqual([
      true,
      false,
      false,
    ]);
  });

  test('appears in the archive', async () => {
    const project = await world.project();
    const features = await world.features(2, { project });
    const [alice, bob] = [await as(), await as()];
    await service.call('POST', `${paths.feature(features[0]?.name ?? '', project)}/favorites`, alice);
    for (const { name } of features) await service.call('DELETE', paths.feature(name, project));
    for (const path of [`/api/admin/archive/features/${project}`, '/api/admin/archive/features']) {
      for (const [user, count] of [[alice, 1] as const, [bob, 0] as const]) {
        const { body } = await service.call('GET', path, user);
        expect(body.features.filter(({ favorite }: { favorite: boolean }) => favorite)).toHaveLength(count);
      }
    }
  });

  test('has one event, however often it is added', async () => {
    const { name } = await world.feature();
    const events = await eventsAddedBy(service, name, async () => {
      await add(name);
      await add(name);
      await Promise.all([add(name), add(name)]);
    });
    expect(events).toMatchObject([{ type: 'feature-favorited', project: 'default', data: { feature: name } }]);
  });

  test('does not change the revision for SDKs', async () => {
    const { name } = await world.feature();
    const marks = () => queryAll(service.table, projectKeys.ledger('default'));
    const before = await marks();
    await add(name);
    expect(await marks()).toEqual(before);
    await service.put(paths.feature(name), { description: 'Another one' });
    expect(await marks()).not.toEqual(before);
  });
});
