import { beforeAll, describe, expect, test } from 'vitest';
import { enabledCounts, eventsAddedBy, paths, problemPaths, readState, shopSeed } from '../../harness/features.ts';
import { writesNothing } from '../../harness/imports.ts';
import type { Reply } from '../../harness/service.ts';
import { strategyPlaces, wholeStrategy } from '../../specifications/bodies.ts';
import { openTo, sharedWorld, specify } from '../../specifications/specify.ts';

const { service, world } = sharedWorld(shopSeed);

const { required, nullable } = strategyPlaces();

specify('updateFeatureStrategy', {
  route:
    'PUT /api/admin/projects/{projectId}/features/{featureName}/environments/{environment}/strategies/{strategyId}',
  ...openTo('Member', 'UPDATE_FEATURE_STRATEGY'),
  request: async (world) => ({ params: await world.strategyPlace(), body: await wholeStrategy(world) }),
  others: {
    'the last enabled one of a feature that is on, disabled': async (world) => {
      const feature = await world.feature({ on: true, strategies: [{ name: 'default' }] });
      const { place } = feature;
      const path = `/api/admin/projects/${place.projectId}/features/${place.featureName}`;
      const { body } = await world.ask('PUT', path, {});
      const { strategies } = body.environments.find((each: { name: string }) => each.name === place.environment);
      return { params: { ...place, strategyId: strategies[0].id }, body: { disabled: true } };
    },
  },
  required: required.filter((place) => place !== 'name'),
  nullable,
  differs: 'omitted parameters stay as they are, where Unleash gives some their defaults',
});

/** Creates a feature with one strategy, and returns calls that update it. */
async function createWithStrategy(stored: object = { name: 'default' }, on = false) {
  const feature = await world.feature(on ? { on, strategies: [stored] } : {});
  if (!on) await world.strategy(feature, stored);
  const { name } = feature;
  const read = async () => (await readState(service, name)).strategies[0];
  const before = await read();
  const update = (body: object, id = before.id) => service.put(`${paths.strategies(name)}/${id}`, body);
  return { name, before, read, update };
}

const full = {
  name: 'flexibleRollout',
  title: 'Half',
  sortOrder: 4,
  constraints: [{ contextName: 'userId', operator: 'IN', values: ['7'] }],
  variants: [{ name: 'blue', weight: 1000, weightType: 'variable', stickiness: 'userId' }],
  parameters: { rollout: '50', stickiness: 'userId', groupId: 'g' },
  segments: [1],
};

describe('Updating a strategy', () => {
  test('empties omitted constraints and variants, as Unleash does, and keeps other omitted fields', async () => {
    const { name, before, read, update } = await createWithStrategy(full);
    expect(before).toMatchObject({ ...full, sortOrder: expect.any(Number) });
    const emptied = { constraints: [], variants: [] };
    for (const change of [{ title: 'All' }, { parameters: { rollout: '7' } }, { segments: [] }, { sortOrder: -2 }]) {
      const stored = await read();
      const { status, body } = await update(change);
      const parameters = { stickiness: 'default', groupId: name, ...change.parameters };
      expect([status, body]).toEqual([
        200,
        { ...stored, ...emptied, ...change, ...(change.parameters && { parameters }) },
      ]);
      expect(await read()).toEqual(body);
    }
  });

  test('accepts its own reply with the id, and writes nothing', async () => {
    const { name, before, update } = await createWithStrategy(full);
    const other = { ...before, id: 'other', featureName: 'other' };
    expect(await eventsAddedBy(service, name, () => update(other))).toEqual([]);
    expect(await update(before)).toMatchObject({ status: 200, body: before });
  });

  test('drops the parameters of the old type if the type changes', async () => {
    const { update } = await createWithStrategy(full);
    expect((await update({ name: 'default' })).body).toMatchObject({ name: 'default', parameters: {} });
    expect((await update({ name: 'flexibleRollout' })).body.parameters).toMatchObject({ rollout: '100' });
    expect((await update({ name: 'remoteAddress', parameters: { IPs: '::1' } })).body.parameters).toEqual({
      IPs: '::1',
    });
  });

  test('switches the feature off in the same transaction if it disables the last enabled strategy', async () => {
    const { name, update } = await createWithStrategy({ name: 'default' }, true);
    const counts = await enabledCounts(service);
    await service.post(paths.strategies(name), { name: 'default', disabled: true });
    const events = await eventsAddedBy(service, name, () => update({ disabled: true }));
    expect(events.map(({ type }) => type)).toEqual(['feature-strategy-update', 'feature-environment-disabled']);
    expect(await readState(service, name)).toMatchObject({ enabled: false, hasEnabledStrategies: false });
    expect((await enabledCounts(service)).development).toBe((counts.development ?? 0) - 1);
  });

  test('leaves the feature on while another strategy is enabled', async () => {
    const { name, update } = await createWithStrategy({ name: 'default' }, true);
    await service.post(paths.strategies(name), { name: 'default' });
    expect((await eventsAddedBy(service, name, () => update({ disabled: true }))).length).toBe(1);
    expect(await readState(service, name)).toMatchObject({ enabled: true });
  });

  test('updates the references to segments', async () => {
    const { update } = await createWithStrategy(full);
    const segment = await world.segment({ name: 'moved to' });
    await update({ segments: [segment.id] });
    expect((await service.call('DELETE', `/api/admin/segments/${segment.id}`)).status).toBe(409);
    await update({ segments: [] });
    expect((await service.call('DELETE', `/api/admin/segments/${segment.id}`)).status).toBe(204);
  });

  test('is refused with a rollout that is no percentage, also without the type', async () => {
    const { before, read, update } = await createWithStrategy(full);
    expect(problemPaths(await update({ parameters: { rollout: '101' } }))).toEqual(['parameters.rollout']);
    expect(await read()).toEqual(before);
  });

  test('does not check unchanged fields again', async () => {
    const field = await world.contextField({ legalValues: [{ value: 'CH' }] });
    const constraints = [{ contextName: field, operator: 'IN', values: ['CH'] }];
    const { update } = await createWithStrategy({ ...full, constraints });
    expect(await update({ title: 'All', constraints })).toMatchObject({ status: 200 });
  });
});

specify('patchFeatureStrategy', {
  route:
    'PATCH /api/admin/projects/{projectId}/features/{featureName}/environments/{environment}/strategies/{strategyId}',
  ...openTo('Member', 'UPDATE_FEATURE_STRATEGY'),
  request: async (world) => ({
    params: await world.strategyPlace(),
    body: [{ op: 'replace', path: '/title', from: '/title', value: 'All' }],
  }),
  others: {
    'to what it refers to': async (world) => ({
      params: await world.strategyPlace(),
      body: [{ op: 'add', path: '/segments/-', value: (await world.segment()).id }],
    }),
  },
  required: ['0.op', '0.path'],
  needed: ['0.value'],
  // The result of the patch decides which references have to be read.
  waits: 3,
});

describe('Patching a strategy', () => {
  const stored = {
    name: 'flexibleRollout',
    constraints: [{ contextName: 'userId', operator: 'IN', values: ['7'] }],
    variants: [{ name: 'blue', weight: 1000, weightType: 'variable', stickiness: 'userId' }],
    parameters: { rollout: '50', stickiness: 'userId', groupId: 'g' },
  };

  async function createWithStrategy(on = false) {
    const { name } = await world.feature({ on, strategies: [stored] });
    const read = async () => (await readState(service, name)).strategies[0];
    const before = await read();
    const patch = (operations: unknown) =>
      service.call('PATCH', `${paths.strategies(name)}/${before.id}`, { body: operations });
    return { name, before, read, patch };
  }

  test('can change a single parameter, a value of a constraint, and one of many variants', async () => {
    const { before, read, patch } = await createWithStrategy();
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

  test('replaces a removed field by its default', async () => {
    const { name, before, patch } = await createWithStrategy();
    const fields = ['title', 'disabled', 'constraints', 'variants', 'parameters', 'segments', 'sortOrder'];
    const { body } = await patch(fields.map((field) => ({ op: 'remove', path: `/${field}` })));
    const parameters = { rollout: '100', stickiness: 'default', groupId: name };
    expect(body).toEqual({ ...before, title: null, constraints: [], variants: [], parameters, segments: [] });
  });

  test('without any effect writes nothing', async () => {
    const { name, patch } = await createWithStrategy();
    const operations = [
      { op: 'replace', path: '/title', value: 'x' },
      { op: 'remove', path: '/title' },
    ];
    expect(await eventsAddedBy(service, name, () => patch(operations))).toEqual([]);
  });

  // test/lib/helpers/apply-patch.test.ts tests the other paths, and a failing test operation.
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
    const { before, read, patch } = await createWithStrategy();
    expect(problemPaths(await patch(operations))).toEqual(places);
    expect(await read()).toEqual(before);
  });
});

const environments = '/api/admin/projects/default/environments';
let name = '';
let stored = '';
beforeAll(async () => {
  const feature = await world.feature();
  name = feature.name;
  stored = `${paths.strategies(name)}/${await world.strategy(feature)}`;
});

/** The operations that accept a strategy, and the prefix of its paths in their bodies. */
const operations: readonly [what: string, place: string, send: (strategy: object) => Promise<Reply>][] = [
  ['that is added to a feature', '', (strategy) => service.post(paths.strategies(name), strategy)],
  ['that is updated', '', (strategy) => service.put(stored, strategy)],
  ['that is patched', '', (strategy) => service.call('PATCH', stored, { body: patchOf(strategy) })],
  [
    'that is the default one of an environment',
    '',
    (strategy) => service.post(`${environments}/development/default-strategy`, strategy),
  ],
  [
    'that is the default one of all environments',
    '',
    (strategy) => service.post(`${environments}/*/default-strategy`, strategy),
  ],
  [
    'that comes with an environment',
    'defaultStrategy.',
    (defaultStrategy) => service.post(environments, { environment: 'staging', defaultStrategy }),
  ],
];

function patchOf(strategy: object) {
  return Object.entries(strategy).map(([field, value]) => ({ op: 'add', path: `/${field}`, value }));
}

test.each(operations.slice(0, 3))('A strategy %s is refused with an unknown type', async (_what, _place, send) => {
  const answer = await writesNothing(service, () => send({ name: 'unknown' }));
  expect(problemPaths(answer)).toEqual(['name']);
});

// test/lib/features/strategies/strategy-references.test.ts tests all kinds of invalid references.
describe.each(operations)('A strategy %s', (_what, place, send) => {
  test('is refused with all invalid references, and nothing is written', async () => {
    const constraints = [{ contextName: 'country', operator: 'IN', values: ['DE'] }];
    const strategy = { name: 'flexibleRollout', segments: [1, 7], constraints };
    const answer = await writesNothing(service, () => send(strategy));
    expect(problemPaths(answer)).toEqual(['constraints.0', 'segments'].map((each) => `${place}${each}`));
  });

  test('is a 404 if an unknown segment is the only problem, and nothing is written', async () => {
    const answer = await writesNothing(service, () => send({ name: 'flexibleRollout', segments: [1, 99] }));
    expect(answer).toMatchObject({ status: 404, body: { details: [{ path: `${place}segments.1` }] } });
  });
});
