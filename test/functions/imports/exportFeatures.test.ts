import { describe, expect, test } from 'vitest';
import { paths, shopSeed } from '../../harness/features.ts';
import { recordStoreRequests } from '../../harness/store-requests.ts';
import { sharedWorld, specify } from '../../specifications/specify.ts';

specify('exportFeatures', {
  route: 'POST /api/admin/features-batch/export',
  may: 'any token',
  request: async (world) => {
    const tag = { type: 'simple', value: world.name('tag') };
    const { name } = await world.feature({ on: true, tags: [tag] });
    return {
      body: { environment: 'development', features: [name], tag: tag.value, project: 'default', downloadFile: true },
    };
  },
  required: ['environment'],
  waits: 2,
  differs: 'makes no event; 404 for an unknown feature or environment',
});

describe('An export', () => {
  const { service, world } = sharedWorld(shopSeed);
  const ask = (query: object) =>
    service.post('/api/admin/features-batch/export', { environment: 'development', ...query });

  test('contains its features and everything that they use', async () => {
    const { id } = await world.segment({ name: 'exported-segment' });
    const parent = (await world.feature()).name;
    const { name } = await world.feature({
      on: true,
      description: 'Exported',
      parents: [parent],
      tags: [{ type: 'team', value: 'checkout' }],
      variants: [{ name: 'blue', weight: 1000, weightType: 'variable', stickiness: 'default' }],
      strategies: [
        {
          name: 'flexibleRollout',
          title: 'Some',
          parameters: { rollout: '20', stickiness: 'userId', groupId: 'group' },
          constraints: [{ contextName: 'country', operator: 'IN', values: ['CH'] }],
        },
      ],
    });
    await world.ask('POST', paths.strategies(name), { name: 'storeHours', segments: [id], disabled: true });
    const answer = await ask({ features: [parent, name] });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      features: [
        { name: parent, archived: false },
        { name, description: 'Exported' },
      ],
      featureTags: [{ featureName: name, tagType: 'team', tagValue: 'checkout' }],
      segments: [{ id, name: 'exported-segment' }],
      tagTypes: [{ name: 'team' }],
      dependencies: [{ feature: name, dependencies: [{ feature: parent, enabled: true, variants: [] }] }],
    });
    const fields = answer.body.contextFields.map(({ name: field }: { name: string }) => field);
    expect(fields.toSorted()).toEqual(['country', 'userId']);
  });

  test('contains the named features, or those with a tag, or the live ones of a project', async () => {
    const tag = { type: 'simple', value: 'to-export' };
    const tagged = (await world.feature({ project: 'shop', tags: [tag] })).name;
    const plain = (await world.feature({ project: 'shop' })).name;
    const archived = (await world.feature({ project: 'shop', archived: true, tags: [tag] })).name;
    const names = async (query: object) =>
      (await ask(query)).body.features.map(({ name }: { name: string }) => name).toSorted();
    expect(await names({ project: 'shop' })).toEqual([tagged, plain].toSorted());
    expect(await names({ tag: 'to-export' })).toEqual([tagged]);
    expect(await names({ tag: 'simple:to-export', project: 'shop' })).toEqual([tagged]);
    expect(await names({ tag: 'team:to-export' })).toEqual([]);
    expect(await names({ features: [archived, archived], project: 'shop' })).toEqual([archived]);
    expect(await names({ features: [], project: 'shop' })).toEqual([tagged, plain].toSorted());
  });

  test('contains context fields that only an override of a variant uses', async () => {
    const field = await world.contextField();
    const overrides = [{ contextName: field, values: ['CH'] }];
    const variants = [{ name: 'blue', weight: 1000, weightType: 'variable', stickiness: 'default', overrides }];
    const { name } = await world.feature({ variants });
    expect((await ask({ features: [name] })).body.contextFields).toMatchObject([{ name: field }]);
  });

  test('shows an environment without configuration', async () => {
    const { name } = await world.feature({ on: true });
    const { body } = await ask({ features: [name], environment: 'production' });
    expect(body.featureEnvironments).toEqual([
      { name, featureName: name, environment: 'production', enabled: false, variants: [] },
    ]);
    expect(body.featureStrategies).toEqual([]);
  });

  test('is refused for unknown things', async () => {
    const { name } = await world.feature();
    expect((await ask({ features: [name, 'unknown'] })).status).toBe(404);
    expect((await ask({ project: 'unknown' })).status).toBe(404);
    expect((await ask({ features: [name], environment: 'unknown' })).status).toBe(404);
  });

  test('omits deleted things that an archived feature uses', async () => {
    const { id } = await world.segment({ name: 'gone soon' });
    const archived = await world.feature();
    await world.strategy(archived, { name: 'default', segments: [id] });
    await world.ask('DELETE', `/api/admin/projects/default/features/${archived.name}`);
    await world.ask('DELETE', `/api/admin/segments/${id}`);
    const { body } = await ask({ features: [archived.name] });
    expect(body).toMatchObject({ featureStrategies: [{ featureName: archived.name, segments: [] }], segments: [] });
  });

  test('above the size of a reply is refused before everything is read', async () => {
    const project = await world.project();
    const values = Array.from({ length: 250 }, (_, index) => `${index}`.padEnd(95, '-'));
    const constraints = [{ contextName: 'userId', operator: 'IN', values }];
    const strategies = [1, 2, 3].map(() => ({ name: 'default', constraints }));
    for (let count = 0; count < 150; count += 1) await world.feature({ project, strategies });
    const reads = await recordStoreRequests(service.table, async () => {
      expect(await ask({ project })).toMatchObject({ status: 400, body: { details: [{ path: 'features' }] } });
    });
    // Each is 80 kB, and takes 20 units.
    expect(reads.reduce((sum, { units }) => sum + units, 0)).toBeLessThan(150 * 20);
  });

  test('is saved by a browser on demand', async () => {
    const { headers } = await ask({ project: 'shop', downloadFile: true });
    expect(headers['content-disposition']).toBe('attachment; filename="export.json"');
  });
});
