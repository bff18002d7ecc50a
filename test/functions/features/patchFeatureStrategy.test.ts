import { describe, expect, test } from 'vitest';
import { eventsAddedBy, paths, problemPaths, readState, shopSeed } from '../../harness/features.ts';
import { openTo, sharedWorld, specify } from '../../specifications/specify.ts';

specify('patchFeatureStrategy', {
  route:
    'PATCH /api/admin/projects/{projectId}/features/{featureName}/environments/{environment}/strategies/{strategyId}',
  ...openTo('Member', 'UPDATE_FEATURE_STRATEGY'),
  request: async (world) => {
    const feature = await world.feature();
    return {
      params: { ...feature.place, strategyId: await world.strategy(feature) },
      body: [{ op: 'replace', path: '/title', from: '/title', value: 'All' }],
    };
  },
  others: {
    'to what it refers to': async (world) => {
      const feature = await world.feature();
      const { id } = await world.segment();
      return {
        params: { ...feature.place, strategyId: await world.strategy(feature) },
        body: [{ op: 'add', path: '/segments/-', value: id }],
      };
    },
  },
  required: ['0.op', '0.path'],
  needed: ['0.value'],
  // What the patch comes to says what is to be looked up.
  waits: 3,
});

describe('Patching a strategy', () => {
  const { service, world } = sharedWorld(shopSeed);

  const stored = {
    name: 'flexibleRollout',
    constraints: [{ contextName: 'userId', operator: 'IN', values: ['7'] }],
    variants: [{ name: 'blue', weight: 1000, weightType: 'variable', stickiness: 'userId' }],
    parameters: { rollout: '50', stickiness: 'userId', groupId: 'g' },
  };

  async function made(on = false) {
    const { name } = await world.feature({ on, strategies: [stored] });
    const read = async () => (await readState(service, name)).strategies[0];
    const before = await read();
    const patch = (operations: unknown) =>
      service.call('PATCH', `${paths.strategies(name)}/${before.id}`, { body: operations });
    return { name, before, read, patch };
  }

  test('reaches a parameter, a value of a constraint, a variant of many', async () => {
    const { before, read, patch } = await made();
    const { status, body } = await patch([
      { op: 'test', path: '/parameters/rollout', value: '50' },
      { op: 'replace', path: '/parameters/rollout', value: '7' },
      { op: 'add', path: '/constraints/0/values/-', value: '8' },
      { op: 'copy', from: '/variants/0', path: '/variants/-' },
      { op: 'replace', path: '/variants/1/name', value: 'green' },
      { op: 'add', path: '/segments/0', value: 1 },
    ]);
    expect(status).toBe(200);
    expect(body).toEqual({
      ...before,
      parameters: { ...stored.parameters, rollout: '7' },
      constraints: [{ ...stored.constraints[0], values: ['7', '8'] }],
      variants: [
        { ...stored.variants[0], weight: 500 },
        { ...stored.variants[0], name: 'green', weight: 500 },
      ],
      segments: [1],
    });
    expect(await read()).toEqual(body);
  });

  test('gives what it removes its default', async () => {
    const { before, patch } = await made();
    const fields = ['title', 'disabled', 'constraints', 'variants', 'parameters', 'segments', 'sortOrder'];
    const { body } = await patch(fields.map((field) => ({ op: 'remove', path: `/${field}` })));
    const parameters = { rollout: '100', stickiness: 'default', groupId: before.featureName };
    expect(body).toEqual({ ...before, title: null, constraints: [], variants: [], parameters, segments: [] });
  });

  test('switches the feature off with the last enabled strategy', async () => {
    const { name, patch } = await made(true);
    const events = await eventsAddedBy(service, name, () => patch([{ op: 'replace', path: '/disabled', value: true }]));
    expect(events.map(({ type }) => type)).toEqual(['feature-strategy-update', 'feature-environment-disabled']);
  });

  test('that comes to nothing writes nothing', async () => {
    const { name, patch } = await made();
    const operations = [
      { op: 'replace', path: '/title', value: 'x' },
      { op: 'remove', path: '/title' },
    ];
    expect(await eventsAddedBy(service, name, () => patch(operations))).toEqual([]);
  });

  // test/lib/helpers/apply-patch.test.ts has the other paths, and the test that fails.
  test.each([
    [
      'paths outside it',
      [
        { op: 'replace', path: '/id', value: 'x' },
        { op: 'remove', path: '' },
      ],
      ['0.path', '1.path'],
    ],
    [
      'values that cannot be, and without what it needs',
      [
        { op: 'remove', path: '/name' },
        { op: 'replace', path: '/parameters/rollout', value: '101' },
        { op: 'replace', path: '/constraints/0/operator', value: 'LIKE' },
        { op: 'add', path: '/disabled', value: 'yes' },
      ],
      ['constraints.0.operator', 'disabled', 'name'],
    ],
  ])('is refused with %s', async (_, operations, places) => {
    const { before, read, patch } = await made();
    expect(problemPaths(await patch(operations))).toEqual(places);
    expect(await read()).toEqual(before);
  });
});
