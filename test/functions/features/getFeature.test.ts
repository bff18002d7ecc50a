import { describe, expect, test } from 'vitest';
import { addFeatures, featureMaker, importFileParts, paths, shopSeed } from '../../harness/features.ts';
import { sharedService, specify } from '../../specifications/specify.ts';

specify('getFeature', {
  route: 'GET /api/admin/projects/{projectId}/features/{featureName}',
  may: 'any token',
  request: async (world) => ({
    params: (await world.feature({ on: true })).place,
    query: { variantEnvironments: 'true' },
  }),
});

describe('A feature', () => {
  const service = sharedService(shopSeed);
  const newFeature = featureMaker(() => service);
  const get = (name: string, options: { project?: string; etag?: string } = {}) =>
    service.call('GET', paths.feature(name, options.project), {
      headers: options.etag === undefined ? {} : { 'if-none-match': options.etag },
    });

  test('is answered as an update answers it, with its parents and its children', async () => {
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

  test('is not found while it is archived, and the answer says why', async () => {
    const name = await newFeature();
    await service.put(paths.feature(name), { archived: true });
    expect(await get(name)).toMatchObject({ status: 404, body: { message: `The feature "${name}" is archived.` } });
    await service.put(paths.feature(name), { archived: false });
    expect((await get(name)).status).toBe(200);
  });

  test('is answered 304 until it changes, or the environments of its project do', async () => {
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
