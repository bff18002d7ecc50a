import { describe, expect, test } from 'vitest';
import { eventsAddedBy, paths, problemPaths, readState, shopSeed } from '../../harness/features.ts';
import { sharedWorld, specify } from '../../specifications/specify.ts';

specify('patchFeatureStrategy', {
  route:
    'PATCH /api/admin/projects/{projectId}/features/{featureName}/environments/{environment}/strategies/{strategyId}',
  may: ['Admin', 'Editor', 'Owner', 'Member'],
  needs: ['UPDATE_FEATURE_STRATEGY'],
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

  test('whose test fails is a 409 and changes nothing', async () => {
    const { before, read, patch } = await made();
    const answer = await patch([
      { op: 'replace', path: '/title', value: 'All' },
      { op: 'test', path: '/parameters', value: {} },
    ]);
    expect(answer).toMatchObject({ status: 409, body: { name: 'ConflictError', details: [{ path: '1.value' }] } });
    expect(await read()).toEqual(before);
  });

  let refused: ReturnType<typeof made> | undefined;

  test.each([
    [
      'paths outside it',
      [
        { op: 'replace', path: '/id', value: 'x' },
        { op: 'remove', path: '' },
      ],
      ['0.path', '1.path'],
    ],
    ['a path to nothing', [{ op: 'replace', path: '/variants/1/name', value: 'x' }], ['0.path']],
    ['no name', [{ op: 'remove', path: '/name' }], ['name']],
    [
      'values that cannot be',
      [
        { op: 'replace', path: '/parameters/rollout', value: '101' },
        { op: 'replace', path: '/constraints/0/operator', value: 'LIKE' },
        { op: 'add', path: '/disabled', value: 'yes' },
      ],
      ['constraints.0.operator', 'disabled', 'parameters.rollout'],
    ],
    ['a type that is unknown', [{ op: 'replace', path: '/name', value: 'nosuch' }], ['name']],
    [
      'a body that is deeper than any has to be',
      `[{"op":"add","path":"/title","value":${'['.repeat(50_000)}${']'.repeat(50_000)}}]`,
      [''],
    ],
  ])('is refused with %s', async (_, operations, places) => {
    refused ??= made();
    const { before, read, patch } = await refused;
    const answer = await patch(operations);
    expect(answer).toMatchObject({ status: 400, body: { name: 'ValidationError' } });
    expect(problemPaths(answer).toSorted()).toEqual(places);
    expect(await read()).toEqual(before);
  });

  test('tells nothing of a strategy to those who cannot reach its project', async () => {
    const { name, before } = await made();
    const path = `${paths.strategies(name, 'development', 'shop')}/${before.id}`;
    const operations = [{ op: 'test', path: '/title', value: 'x' }];
    expect(await service.call('PATCH', path, { body: operations })).toMatchObject({ status: 404 });
  });
});
