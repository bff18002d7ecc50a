import { describe, expect, test } from 'vitest';
import { eventsAddedBy, paths, problemPaths, shopSeed } from '../../harness/features.ts';
import { writesNothing } from '../../harness/imports.ts';
import { variantPlaces, variantsBody } from '../../specifications/bodies.ts';
import { openTo, sharedWorld, specify } from '../../specifications/specify.ts';

const { service, world } = sharedWorld(shopSeed);

specify('overwriteFeatureVariantsOnEnvironments', {
  route: 'PUT /api/admin/projects/{projectId}/features/{featureName}/variants-batch',
  ...openTo('Member', 'UPDATE_FEATURE_ENVIRONMENT_VARIANTS'),
  request: async (world) => ({
    params: (await world.feature()).place,
    body: { environments: ['development', 'production'], variants: variantsBody },
  }),
  required: ['environments', ...variantPlaces.map((place) => `variants.${place}`)],
  differs: 'answers the variants with their final weights',
});

describe('Overwriting the variants of a feature in several environments', () => {
  const overwrite = (name: string, body: object) => service.put(`${paths.feature(name)}/variants-batch`, body);
  const read = async (name: string, environment: string) =>
    (await service.get(paths.variants(name, environment))).body.variants;

  test('changes each named environment once, with an event for each change', async () => {
    const { name } = await world.feature({
      variants: [{ name: 'a', weight: 1000, weightType: 'variable', stickiness: 'default' }],
    });
    const environments = ['production', 'development', 'production'];
    const events = await eventsAddedBy(service, name, async () => {
      const { status, body } = await overwrite(name, { environments, variants: [{ name: 'a', weight: 0 }] });
      expect([status, body.variants]).toMatchObject([200, [{ name: 'a', weight: 1000 }]]);
    });
    // The variants in development are equal already.
    expect(events).toMatchObject([{ type: 'feature-environment-variants-updated', environment: 'production' }]);
    expect(await read(name, 'production')).toEqual(await read(name, 'development'));
  });

  test('removes them with an empty list', async () => {
    const { name } = await world.feature({ variants: [{ name: 'a', weight: 1000 }] });
    expect((await overwrite(name, { environments: ['development'] })).body).toEqual({ version: 1, variants: [] });
    expect(await read(name, 'development')).toEqual([]);
  });

  test('is refused with every environment that the project lacks, and changes nothing', async () => {
    const { name } = await world.feature();
    const environments = ['development', 'nosuch', 'default'];
    expect(await overwrite(name, { environments, variants: [{ name: 'a', weight: 0 }] })).toMatchObject({
      status: 404,
      body: { details: [{ path: 'environments.1' }, { path: 'environments.2' }] },
    });
    expect(await read(name, 'development')).toEqual([]);
    expect(await overwrite(name, { environments: [] })).toMatchObject({ status: 400 });
  });
});

test('The permission for variants in one environment is not enough for several', async () => {
  const name = 'UPDATE_FEATURE_ENVIRONMENT_VARIANTS';
  const role = await world.role({ permissions: [{ name, environment: 'development' }] });
  const token = await world.tokenOfRole(3, [{ project: 'default', roles: [role] }]);
  const { place } = await world.feature();
  const set = async (environments: string[]) =>
    (
      await service.call('PUT', `/api/admin/projects/default/features/${place.featureName}/variants-batch`, {
        token,
        body: { environments, variants: [] },
      })
    ).status;
  expect(await set(['development'])).toBe(200);
  expect(await set(['development', 'production'])).toBe(403);
});

specify('overwriteEnvironmentFeatureVariants', {
  route: 'PUT /api/admin/projects/{projectId}/features/{featureName}/environments/{environment}/variants',
  ...openTo('Member', 'UPDATE_FEATURE_ENVIRONMENT_VARIANTS'),
  request: async (world) => ({ params: (await world.feature()).place, body: variantsBody }),
  required: variantPlaces,
  differs: 'of any feature, where Unleash takes it only of one that has some',
});

describe('Overwriting the variants of a feature in an environment', () => {
  const overwrite = (name: string, variants: unknown, environment?: string) =>
    service.put(paths.variants(name, environment), variants);
  const read = async (name: string, environment?: string) =>
    (await service.get(paths.variants(name, environment))).body;

  test('stores them in their order with final weights, and adds omitted fields', async () => {
    const { name } = await world.feature();
    const fixed = { name: 'fixed', weight: 100, weightType: 'fix', stickiness: 'userId' };
    const payload = { type: 'json', value: '{"a":1}' };
    const { status, body } = await overwrite(name, [
      { name: 'z', weight: 0 },
      { ...fixed, payload, overrides: [{ contextName: 'userId', values: ['7'] }] },
      { name: 'a', weight: 1000, weightType: 'variable' },
      { name: 'b', weight: 1, more: true },
    ]);
    const variable = { weight: 300, weightType: 'variable', stickiness: 'default' };
    expect([status, body]).toEqual([
      200,
      {
        version: 1,
        variants: [
          { ...variable, name: 'z' },
          { ...fixed, payload, overrides: [{ contextName: 'userId', values: ['7'] }] },
          { ...variable, name: 'a' },
          { ...variable, name: 'b' },
        ],
      },
    ]);
    expect(await read(name)).toEqual(body);
    expect(await read(name, 'production')).toEqual({ version: 1, variants: [] });
  });

  // test/lib/features/environments/variant-schema.test.ts tests all invalid variants.
  test('is refused if fixed weights leave no room, and changes nothing', async () => {
    const { name } = await world.feature();
    expect(problemPaths(await overwrite(name, [{ name: 'a', weight: 1000, weightType: 'fix' }]))).toEqual(['']);
    expect(await read(name)).toEqual({ version: 1, variants: [] });
  });
});

const variants = [
  { name: 'a', weight: 500, weightType: 'variable', stickiness: 'userId' },
  { name: 'b', weight: 500, weightType: 'variable', stickiness: 'userId' },
];

specify('patchEnvironmentsFeatureVariants', {
  route: 'PATCH /api/admin/projects/{projectId}/features/{featureName}/environments/{environment}/variants',
  ...openTo('Member', 'UPDATE_FEATURE_ENVIRONMENT_VARIANTS'),
  request: async (world) => ({
    params: (await world.feature({ variants })).place,
    body: [{ op: 'replace', path: '/0/name', from: '/0/name', value: 'c' }],
  }),
  required: ['0.op', '0.path'],
  needed: ['0.value'],
});

describe('Patching the variants of a feature in an environment', () => {
  const patch = (name: string, operations: unknown) =>
    service.call('PATCH', paths.variants(name), { body: operations });

  test('changes, adds and removes single variants, and computes the weights again', async () => {
    const { name } = await world.feature({ variants });
    const { status, body } = await patch(name, [
      { op: 'test', path: '/1', value: variants[1] },
      { op: 'replace', path: '/0/stickiness', value: 'default' },
      { op: 'add', path: '/-', value: { name: 'c', weight: 0 } },
      { op: 'move', from: '/1', path: '/0' },
      { op: 'add', path: '/1/payload', value: { type: 'string', value: 'x' } },
    ]);
    expect([status, body]).toEqual([
      200,
      {
        version: 1,
        variants: [
          { ...variants[1], weight: 334 },
          { ...variants[0], weight: 333, stickiness: 'default', payload: { type: 'string', value: 'x' } },
          { name: 'c', weight: 333, weightType: 'variable', stickiness: 'default' },
        ],
      },
    ]);
    expect((await service.get(paths.variants(name))).body).toEqual(body);
  });

  test('is refused if the feature has no variants in any environment, as on Unleash', async () => {
    const { name } = await world.feature();
    const add = [{ op: 'add', path: '/0', value: { name: 'a', weight: 1000 } }];
    expect(await patch(name, add)).toMatchObject({ status: 403, body: { name: 'NoAccessError' } });
    expect((await service.get(paths.variants(name))).body.variants).toEqual([]);
    await service.put(paths.variants(name, 'production'), variants);
    expect(await patch(name, add)).toMatchObject({ status: 200, body: { variants: [{ name: 'a' }] } });
  });

  test('can replace the whole list, and empty it', async () => {
    const { name } = await world.feature({ variants });
    const replaced = await patch(name, [{ op: 'replace', path: '', value: [{ name: 'z', weight: 0 }] }]);
    expect(replaced.body.variants).toMatchObject([{ name: 'z', weight: 1000 }]);
    expect((await patch(name, [{ op: 'remove', path: '/0' }])).body.variants).toEqual([]);
  });

  // test/lib/helpers/apply-patch.test.ts tests all invalid patches.
  test.each([
    ['a result without a name', 400, [{ op: 'remove', path: '/1/name' }], '1.name'],
    ['two of one name', 400, [{ op: 'copy', from: '/0/name', path: '/1/name' }], undefined],
    ['a test that fails', 409, [{ op: 'test', path: '/0/name', value: 'b' }], '0.value'],
  ])('is refused with %s, and changes nothing', async (_, status, operations, path) => {
    const { name } = await world.feature({ variants });
    const answer = await writesNothing(service, () => patch(name, operations));
    expect(answer).toMatchObject({ status, body: { details: [path === undefined ? {} : { path }] } });
    expect((await service.get(paths.variants(name))).body.variants).toEqual(variants);
  });
});

specify('getEnvironmentFeatureVariants', {
  route: 'GET /api/admin/projects/{projectId}/features/{featureName}/environments/{environment}/variants',
  may: 'any token',
  request: async (world) => ({ params: (await world.feature()).place }),
  ofArchived: true,
});

specify('overwriteFeatureVariants', {
  route: 'PUT /api/admin/projects/{projectId}/features/{featureName}/variants',
  ...openTo('Member', 'UPDATE_FEATURE_VARIANTS'),
  request: async (world) => ({ params: (await world.feature()).place, body: variantsBody }),
  required: variantPlaces,
});

test('Overwriting the variants of a feature changes all environments together', async () => {
  const { name } = await world.feature();
  const events = await eventsAddedBy(service, name, async () => {
    const { body } = await service.put(`${paths.feature(name)}/variants`, [{ name: 'a', weight: 0 }]);
    expect(body).toMatchObject({ version: 1, variants: [{ name: 'a', weight: 1000 }] });
  });
  expect(events.map(({ environment }) => environment).toSorted()).toEqual(['development', 'production']);
  for (const environment of ['development', 'production']) {
    expect((await service.get(paths.variants(name, environment))).body.variants).toMatchObject([{ name: 'a' }]);
  }
});

test('The permission for variants in one environment is not enough for the whole feature', async () => {
  const { name } = await world.feature();
  const role = await world.role({
    permissions: [
      { name: 'UPDATE_FEATURE_VARIANTS' },
      { name: 'UPDATE_FEATURE_ENVIRONMENT_VARIANTS', environment: 'development' },
    ],
  });
  const token = await world.tokenOfRole(3, [{ project: 'default', roles: [role] }]);
  const path = `${paths.feature(name)}/variants`;
  const inDevelopment = await service.put(paths.variants(name, 'development'), [{ name: 'a', weight: 0 }], { token });
  expect(inDevelopment.status).toBe(200);
  const { status, body } = await service.put(path, [{ name: 'a', weight: 0 }], { token });
  expect([status, body.message]).toEqual([403, expect.stringContaining('UPDATE_FEATURE_ENVIRONMENT_VARIANTS')]);
  const patch = [{ op: 'add', path: '/0', value: { name: 'b', weight: 0 } }];
  expect((await service.call('PATCH', path, { token, body: patch })).status).toBe(403);
  expect((await service.get(paths.variants(name, 'production'))).body.variants).toEqual([]);
});

specify('patchFeatureVariants', {
  route: 'PATCH /api/admin/projects/{projectId}/features/{featureName}/variants',
  ...openTo('Member', 'UPDATE_FEATURE_VARIANTS'),
  request: async (world) => ({
    params: (await world.feature()).place,
    body: [{ op: 'replace', path: '', from: '', value: variantsBody }],
  }),
  required: ['0.op', '0.path'],
  needed: ['0.value', ...variantPlaces.map((place) => `0.value.${place}`)],
});

describe('Patching the variants of a feature', () => {
  const variant = { name: 'a', weight: 1000, weightType: 'variable', stickiness: 'default' };
  const patch = (name: string, body: unknown) => service.call('PATCH', `${paths.feature(name)}/variants`, { body });
  const names = async (name: string, environment: string) =>
    (await service.get(paths.variants(name, environment))).body.variants.map(({ name }: { name: string }) => name);

  test('changes them in each environment based on the variants there', async () => {
    const { name } = await world.feature({ variants: [variant] });
    const { status, body } = await patch(name, [{ op: 'add', path: '/-', value: { name: 'b', weight: 0 } }]);
    expect([status, body.variants]).toMatchObject([
      200,
      [
        { name: 'a', weight: 500 },
        { name: 'b', weight: 500 },
      ],
    ]);
    expect(await names(name, 'development')).toEqual(['a', 'b']);
    expect(await names(name, 'production')).toEqual(['b']);
  });

  test('that fails in one environment changes nothing in any', async () => {
    const { name } = await world.feature({ variants: [variant] });
    const rename = [{ op: 'replace', path: '/0/name', value: 'c' }];
    const events = await eventsAddedBy(service, name, async () => {
      expect(await patch(name, rename)).toMatchObject({ status: 400 });
    });
    expect(events).toEqual([]);
    expect(await names(name, 'development')).toEqual(['a']);
  });
});
