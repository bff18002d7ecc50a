import { describe, expect } from 'vitest';
import { childrenMax } from '../../../lib/features/dependencies/parent-rules.ts';
import { addFeaturesOn, eventTypesOf, frequencies, paths, readFeature, shopSeed } from '../../harness/features.ts';
import { protectEverything } from '../../harness/protection.ts';
import { betweenReadAndWrite } from '../../harness/store-requests.ts';
import { openTo, sharedWorld, specify, test } from '../../specifications/specify.ts';

specify('cloneFeature', {
  route: 'POST /api/admin/projects/{projectId}/features/{featureName}/clone',
  ...openTo('Member', 'CREATE_FEATURE'),
  request: async (world) => ({
    params: (await world.feature({ on: true })).place,
    body: { name: world.name('feature'), replaceGroupId: false },
  }),
  others: {
    'with variants and a parent': async (world) => ({
      params: (
        await world.feature({
          on: true,
          variants: [{ name: 'blue', weight: 1000 }],
          parents: [(await world.feature()).name],
        })
      ).place,
      body: { name: world.name('feature') },
      // The parents are read after the original feature.
      waits: 3,
    }),
  },
  required: ['name'],
  again: 409,
});

test('A clone with strategies in protected environments is refused with all these environments', async ({
  service,
  world,
}) => {
  const { name } = await world.feature({ on: true });
  await addFeaturesOn(service, [name], { environment: 'production' });
  const empty = await world.feature();
  await protectEverything(service.table);
  const copy = async (original: string) =>
    await service.post(`${paths.feature(original)}/clone`, { name: world.name('feature') });
  const { status, body } = await copy(name);
  expect(status).toBe(403);
  expect(body).toMatchObject({ name: 'PermissionError', permissions: ['SKIP_CHANGE_REQUEST'] });
  expect(body.message).toContain('the environments "development" and "production" of the project "default"');
  expect((await copy(empty.name)).status).toBe(201);
});

describe('Cloning a feature', () => {
  const { service, world } = sharedWorld(shopSeed);
  const clone = (name: string, body: object, project?: string) =>
    service.post(`${paths.feature(name, project)}/clone`, body);
  const withoutIds = ({ environments }: { environments: { strategies: object[] }[] }) =>
    environments.map(({ strategies, ...state }) => ({
      ...state,
      enabled: false,
      featureName: '',
      strategies: strategies.map((strategy) => ({ ...strategy, id: '', featureName: '' })),
    }));

  describe('of a feature that is deleted meanwhile', () => {
    const remove = async (name: string) => {
      await service.call('DELETE', paths.feature(name));
      await service.call('DELETE', `/api/admin/archive/${name}`);
    };

    test('answers 404, and creates nothing', async () => {
      const { name } = await world.feature();
      const copy = world.name('feature');
      const cloning = () => clone(name, { name: copy });
      const answer = await betweenReadAndWrite(service.table, () => remove(name), cloning);
      expect(answer.status).toBe(404);
      expect((await service.get(paths.feature(copy))).status).toBe(404);
    });

    test('answers 409 for its own name, since the feature existed when it was read', async () => {
      const { name } = await world.feature();
      const cloning = () => clone(name, { name });
      const answer = await betweenReadAndWrite(service.table, () => remove(name), cloning, 'BatchGetItem');
      expect(answer.status).toBe(409);
    });
  });

  test('answers 201 with a feature of the same fields, strategies, variants and parents, off everywhere', async () => {
    const parent = (await world.feature()).name;
    const { name } = await world.feature({
      on: true,
      description: 'Original',
      variants: [{ name: 'blue', weight: 1000, weightType: 'variable', stickiness: 'default' }],
      tags: [{ type: 'team', value: 'checkout' }],
      parents: [parent],
      strategies: [
        { name: 'flexibleRollout', title: 'Half', parameters: { rollout: '50', groupId: 'shared' }, sortOrder: 3 },
        { name: 'default', disabled: true, sortOrder: 1 },
      ],
    });
    await addFeaturesOn(service, [name], { environment: 'production' });
    await service.put(paths.feature(name), { type: 'experiment', impressionData: true });
    const original = await readFeature(service, name);

    const answer = await clone(name, { name: 'copy', replaceGroupId: false });
    expect(answer).toMatchObject({
      status: 201,
      headers: { location: '/api/admin/projects/default/features/copy', etag: '"1"' },
      body: {
        name: 'copy',
        description: 'Original',
        type: 'experiment',
        impressionData: true,
        enabled: false,
        tags: [],
        dependencies: [{ feature: parent, enabled: true, variants: [] }],
        lifecycle: { stage: 'initial' },
      },
    });
    expect(withoutIds(answer.body)).toEqual(withoutIds(original));
    const ids = (feature: { environments: { strategies: { id: string }[] }[] }) =>
      feature.environments.flatMap(({ strategies }) => strategies.map(({ id }) => id));
    expect(new Set([...ids(answer.body), ...ids(original)]).size).toBe(6);
    expect((await service.get(paths.feature('copy'))).body).toEqual(answer.body);
    expect((await readFeature(service, parent)).children.toSorted()).toEqual(['copy', name].toSorted());
    expect(frequencies(await eventTypesOf(service, 'copy'))).toEqual({
      'feature-created': 1,
      'feature-strategy-add': 3,
      'feature-environment-variants-updated': 1,
      'feature-dependency-added': 1,
    });
    expect(await readFeature(service, name)).toEqual(original);
  });

  test('checks the version of the original in If-Match, also if it changes at the same moment', async () => {
    const { name } = await world.feature();
    const { etag } = (await service.get(paths.feature(name))).headers;
    const bound = { headers: { 'if-match': String(etag) } };
    const changed = await service.put(paths.feature(name), { description: 'changed' }, bound);
    expect((await service.post(`${paths.feature(name)}/clone`, { name: 'late' }, bound)).status).toBe(412);
    expect((await service.get(paths.feature('late'))).status).toBe(404);

    const present = { headers: { 'if-match': String(changed.headers.etag) } };
    const [cloned, next] = await Promise.all([
      service.post(`${paths.feature(name)}/clone`, { name: 'in-time' }, present),
      service.put(paths.feature(name), { description: 'changed again' }, present),
    ]);
    expect(next.status).toBe(200);
    expect([201, 412]).toContain(cloned.status);
    if (cloned.status === 201) expect(cloned.body.description).toBe('changed');
    const { headers } = await service.get(paths.feature(name));
    const again = { headers: { 'if-match': String(headers.etag) } };
    expect((await service.post(`${paths.feature(name)}/clone`, { name: 'bound' }, again)).status).toBe(201);
  });

  test('uses the new name as the group id, unless the request keeps the group', async () => {
    const { name } = await world.feature({ on: true });
    const { body } = await clone(name, { name: 'regrouped' });
    expect(body.environments[0].strategies[0].parameters).toMatchObject({ groupId: 'regrouped' });
    const kept = await clone(name, { name: 'grouped', replaceGroupId: false });
    expect(kept.body.environments[0].strategies[0].parameters).toMatchObject({ groupId: name });
  });

  test('does not give a parent too many children', async () => {
    const parent = await world.feature();
    const [child = ''] = await world.featureNames(childrenMax, { parents: [parent.name] });
    expect(await clone(child, { name: world.name('feature') })).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('501 children') },
    });
  });

  describe('needs the permissions to add the copied content', () => {
    const create = { name: 'CREATE_FEATURE' };
    const addIn = (environment: string) => ({ name: 'CREATE_FEATURE_STRATEGY', environment });
    const variantsIn = (environment: string) => ({ name: 'UPDATE_FEATURE_ENVIRONMENT_VARIANTS', environment });
    const tokenWith = async (...permissions: object[]) =>
      world.tokenOfRole(3, [{ project: 'default', roles: [await world.role({ permissions })] }]);
    const original = async () => {
      const { name } = await world.feature({
        on: true,
        variants: [{ name: 'blue', weight: 1000 }],
        parents: [(await world.feature()).name],
      });
      await addFeaturesOn(service, [name], { environment: 'production' });
      return name;
    };
    const cloneBy = async (token: string, name: string) => {
      const copy = world.name('feature');
      const answer = await service.post(`${paths.feature(name)}/clone`, { name: copy }, { token });
      return { ...answer, isThere: (await service.get(paths.feature(copy))).status === 200 };
    };

    test('in each environment, and answers 403 with all missing ones', async () => {
      const { status, body, isThere } = await cloneBy(await tokenWith(create, addIn('development')), await original());
      expect([status, isThere]).toEqual([403, false]);
      const message =
        'You need the permissions "UPDATE_FEATURE_ENVIRONMENT_VARIANTS" in the environment "development", ' +
        '"CREATE_FEATURE_STRATEGY" in the environment "production", and "UPDATE_FEATURE_DEPENDENCY" to do this.';
      expect(body).toMatchObject({ name: 'NoAccessError', message, details: [{ message }] });
    });

    test('and no others', async () => {
      const dependency = { name: 'UPDATE_FEATURE_DEPENDENCY' };
      const all = [create, addIn('development'), variantsIn('development'), addIn('production'), dependency];
      expect((await cloneBy(await tokenWith(...all), await original())).status).toBe(201);
      expect((await cloneBy(await tokenWith(create), (await world.feature()).name)).status).toBe(201);
      const inOne = await world.feature({ on: true });
      expect((await cloneBy(await tokenWith(create, addIn('development')), inOne.name)).status).toBe(201);
    });
  });

  test('omits an archived parent', async () => {
    const parent = (await world.feature()).name;
    const { name } = await world.feature({ parents: [parent] });
    await service.put(paths.feature(parent), { archived: true });
    const { status, body } = await clone(name, { name: 'orphan' });
    expect([status, body.dependencies]).toEqual([201, []]);
  });
});
