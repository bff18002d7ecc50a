import { beforeAll, describe, expect, test } from 'vitest';
import { survivesFaults } from '../../harness/faults.ts';
import {
  addFeatures,
  addFeaturesOn,
  enabledCounts,
  eventsAddedBy,
  eventTypesOf,
  featureMaker,
  frequencies,
  importFileParts,
  paths,
  problemPaths,
  readFeature,
  readState,
  shopSeed,
} from '../../harness/features.ts';
import { strategyPlaces, wholeStrategy } from '../../specifications/bodies.ts';
import { sharedService, specify } from '../../specifications/specify.ts';

specify('addFeatureStrategy', {
  route: 'POST /api/admin/projects/{projectId}/features/{featureName}/environments/{environment}/strategies',
  may: ['Admin', 'Editor', 'Owner', 'Member'],
  needs: ['CREATE_FEATURE_STRATEGY'],
  request: async (world) => ({ params: (await world.feature({ on: true })).place, body: await wholeStrategy(world) }),
  others: {
    'the first of an environment': async (world) => ({
      params: { ...(await world.feature()).place, environment: 'production' },
      body: await wholeStrategy(world),
    }),
  },
  ...strategyPlaces(),
  again: 'once more',
});

/** A feature for refusals, which never gets a strategy. */
const bare = 'bare';

const service = sharedService(shopSeed);
beforeAll(async () => {
  await addFeatures(service, [bare]);
});

const newFeature = featureMaker(() => service);

const add = (name: string, strategy: unknown, environment?: string, project?: string) =>
  service.post(paths.strategies(name, environment, project), strategy);

/** The places of all problems of a strategy that is refused. */
async function problemsOf(strategy: object): Promise<string[]> {
  const answer = await add(bare, { name: 'default', ...strategy });
  expect(answer).toMatchObject({ body: { name: 'ValidationError' } });
  return problemPaths(answer);
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('Adding a strategy', () => {
  test('answers the stored strategy with all its fields', async () => {
    const name = await newFeature();
    const variant = { name: 'blue', weight: 1000, weightType: 'variable', stickiness: 'userId' };
    const constraint = { contextName: 'userId', operator: 'IN', values: ['1', '2'] };
    const input = {
      name: 'remoteAddress',
      title: 'Our offices',
      disabled: true,
      sortOrder: 7,
      constraints: [{ ...constraint, inverted: true, caseInsensitive: true }, constraint],
      variants: [{ ...variant, payload: { type: 'json', value: '{"a":1}' } }],
      parameters: { IPs: '10.0.0.0/8', more: '' },
      segments: [2, 1],
    };
    const { status, body } = await add(name, { ...input, id: 'mine', featureName: 'other', bogus: true });
    expect(status).toBe(200);
    expect(body).toEqual({ ...input, id: expect.stringMatching(uuid), featureName: name });
    expect((await readState(service, name)).strategies).toEqual([body]);
    expect((await readState(service, name, 'production')).strategies).toEqual([]);
  });

  test('fills in what is left out, or null', async () => {
    const name = await newFeature();
    const defaults = { title: null, disabled: false, constraints: [], variants: [], parameters: {}, segments: [] };
    for (const [sortOrder, nulls] of [{}, { title: null, disabled: null }].entries()) {
      const { body } = await add(name, { name: 'default', ...nulls });
      expect(body).toEqual({ ...defaults, id: body.id, name: 'default', featureName: name, sortOrder });
    }
  });

  test('tells of it without repeating the name of the feature, and does not switch the feature on', async () => {
    const name = await newFeature('shop');
    await service.post(paths.tags(name), { value: 'tagged' });
    const counts = await enabledCounts(service);
    const [event, ...others] = await eventsAddedBy(service, name, async () => {
      const { body } = await add(name, { name: 'storeHours' }, 'staging', 'shop');
      expect(body.featureName).toBe(name);
    });
    const state = await readState(service, name, 'staging', 'shop');
    const { featureName: _name, ...data } = state.strategies[0];
    expect(others).toEqual([]);
    expect(event).toMatchObject({
      type: 'feature-strategy-add',
      environment: 'staging',
      project: 'shop',
      preData: null,
      tags: [{ value: 'tagged', type: 'simple' }],
    });
    expect(event?.data).toEqual(data);
    expect(state).toMatchObject({ enabled: false, hasStrategies: true });
    expect(await enabledCounts(service)).toEqual(counts);
  });

  test('puts it behind the highest place, from 0 on, in each environment', async () => {
    const name = await newFeature();
    const orders = [];
    for (const sortOrder of [undefined, undefined, 7, undefined, -3, 7, undefined]) {
      orders.push((await add(name, { name: 'default', sortOrder })).body.sortOrder);
    }
    expect(orders).toEqual([0, 1, 7, 8, -3, 7, 9]);
    expect((await add(name, { name: 'default' }, 'production')).body.sortOrder).toBe(0);
    const { strategies } = await readState(service, name);
    expect(strategies.map(({ sortOrder }: { sortOrder: number }) => sortOrder)).toEqual([-3, 0, 1, 7, 7, 8, 9]);
  });

  test('gives flexibleRollout what it needs: everybody, the stickiness of the project, the feature as group', async () => {
    const [name, inShop] = [await newFeature(), await newFeature('shop')];
    const parametersOf = async (parameters?: object) =>
      (await add(name, { name: 'flexibleRollout', parameters })).body.parameters;
    const defaults = { rollout: '100', stickiness: 'default', groupId: name };
    expect(await parametersOf()).toEqual(defaults);
    expect(await parametersOf({ rollout: '5', extra: 'x' })).toEqual({ ...defaults, rollout: '5', extra: 'x' });
    expect(await parametersOf({ stickiness: '', groupId: '' })).toEqual(defaults);
    const own = { rollout: '0', stickiness: 'sessionId', groupId: 'mine' };
    expect(await parametersOf(own)).toEqual(own);
    const { body } = await add(inShop, { name: 'flexibleRollout' }, 'staging', 'shop');
    expect(body.parameters).toEqual({ rollout: '100', stickiness: 'userId', groupId: inShop });
  });

  test('takes any existing type, with any parameters that are text', async () => {
    const name = await newFeature();
    for (const type of ['default', 'userWithId', 'applicationHostname', 'storeHours', 'remoteAddress']) {
      expect(await add(name, { name: type })).toMatchObject({ status: 200, body: { name: type, parameters: {} } });
    }
    const parameters = { zone: '', 'a b': 'ü', toString: 'kept', hasOwnProperty: 'kept' };
    const { body } = await add(name, { name: 'storeHours', parameters });
    expect(Object.entries(body.parameters).toSorted()).toEqual(Object.entries(parameters).toSorted());
  });

  test('refuses a rollout that is no number from 0 to 100, whatever else is wrong', async () => {
    for (const rollout of ['110', 'lots', '', '-1', '5%', '1e1', '0x10', ' 5', '100.5', 'NaN', '٥']) {
      const strategy = { name: 'flexibleRollout', parameters: { rollout }, sortOrder: 1.5 };
      expect(await problemsOf(strategy), rollout).toEqual(['parameters.rollout', 'sortOrder']);
    }
    expect(await problemsOf({ name: 'flexibleRollout', parameters: { rollout: '110' } })).toEqual([
      'parameters.rollout',
    ]);
  });

  test('takes any rollout from 0 to 100, and any text where another type has a parameter of that name', async () => {
    const name = await newFeature();
    for (const rollout of ['0', '33.3', '100.0', '07']) {
      const answer = await add(name, { name: 'flexibleRollout', parameters: { rollout } });
      expect(answer).toMatchObject({ status: 200, body: { parameters: { rollout } } });
    }
    expect(await add(name, { name: 'storeHours', parameters: { rollout: 'lots' } })).toMatchObject({ status: 200 });
  });

  test('refuses parameters under keys that would be lost on the way', async () => {
    for (const key of ['constructor', 'prototype']) {
      expect(await problemsOf({ parameters: { IPs: 'x', [key]: 'x' } })).toEqual(['parameters']);
    }
    const answer = await add(bare, '{"name":"default","parameters":{"__proto__":"x"}}');
    expect(answer).toMatchObject({ status: 400, body: { name: 'ValidationError' } });
  });

  test('refuses a type that does not exist', async () => {
    for (const name of ['unknown', 'Default', '__proto__', 'ü😀', '']) {
      expect(await problemsOf({ name }), name).toEqual(['name']);
    }
  });

  test('lists every problem of the body with its place', async () => {
    const problems = await problemsOf({
      name: 1,
      title: 2,
      disabled: 'no',
      sortOrder: 1.5,
      constraints: [{ contextName: '', operator: 'BIGGER' }, 'text', { contextName: 'x', operator: 'IN', values: 'y' }],
      variants: [{ name: 'a b', weight: 1001, weightType: 'some', stickiness: '', payload: { type: 'xml' } }],
      parameters: { rollout: null, list: ['x'] },
      segments: ['1', 0, -1, 1.5],
    });
    expect(problems).toEqual(
      [
        ...['name', 'title', 'disabled', 'sortOrder', 'parameters.rollout', 'parameters.list'],
        ...['constraints.0.contextName', 'constraints.0.operator', 'constraints.1', 'constraints.2.values'],
        ...['name', 'weight', 'weightType', 'stickiness', 'payload.type', 'payload.value'].map(
          (field) => `variants.0.${field}`,
        ),
        ...['segments.0', 'segments.1', 'segments.2', 'segments.3'],
      ].toSorted(),
    );
  });

  test('answers 404 for an environment that is not in the project, and a feature of another, before all else', async () => {
    for (const [environment, project] of [['staging'], ['default'], ['Development'], ['development', 'shop']]) {
      expect((await add(bare, { name: 'unknown', segments: [99] }, environment, project)).status).toBe(404);
    }
    expect(await eventTypesOf(service, bare)).toEqual(['feature-created']);
  });
});

describe('The constraints of a strategy', () => {
  // Which ones are taken, test/lib/features/strategies/constraint-schema.test.ts says.
  const good = [
    { operator: 'IN', values: ['a', ' ', 'a', 'x'.repeat(100)], inverted: true, caseInsensitive: false },
    { operator: 'NOT_IN', values: ['a'], value: 'kept' },
    { operator: 'NUM_EQ', value: ' 5 ' },
    { operator: 'DATE_AFTER', value: '2024-01-01' },
    { operator: 'SEMVER_LT', value: '1.2.3-beta.1' },
    { operator: 'REGEX', value: '^(?i)checkout-\\d{2,4}$' },
  ].map((constraint) => ({ contextName: 'anything we like', ...constraint }));

  test('are kept as they are sent, with an empty list where values are none', async () => {
    const name = await newFeature();
    const { body } = await add(name, { name: 'default', constraints: good });
    expect(body.constraints).toEqual(good.map((constraint) => ({ values: [], ...constraint })));
    expect((await readState(service, name)).strategies[0].constraints).toEqual(body.constraints);
  });

  test('and parameters may be written as numbers and truth values, which are kept as their text', async () => {
    const sent = {
      name: 'flexibleRollout',
      parameters: { rollout: 20, stickiness: 'default', groupId: true },
      constraints: [
        { contextName: 'userId', operator: 'IN', values: [7, -0.0, 1e21, false] },
        { contextName: 'userId', operator: 'NUM_GT', value: 1.5 },
      ],
    };
    const { body } = await add(await newFeature(), sent);
    expect(body).toMatchObject({
      parameters: { rollout: '20', groupId: 'true' },
      constraints: [{ values: ['7', '0', '1e+21', 'false'] }, { value: '1.5' }],
    });
  });

  test('hold to the legal values of a field that has some, whatever the operator', async () => {
    const name = await newFeature();
    const legal = [
      { contextName: 'country', operator: 'IN', values: ['CH', 'NZ'] },
      { contextName: 'country', operator: 'STR_CONTAINS', values: ['NZ'] },
      { contextName: 'country', operator: 'NUM_EQ', value: '7' },
      { contextName: 'Country', operator: 'IN', values: ['DE'] },
    ];
    expect((await add(name, { name: 'default', constraints: legal })).status).toBe(200);
    const illegal = [
      { contextName: 'country', operator: 'IN', values: ['CH', 'DE'] },
      { contextName: 'country', operator: 'NOT_IN', values: ['ch'] },
      { contextName: 'country', operator: 'STR_CONTAINS', values: ['C'] },
      { contextName: 'country', operator: 'NUM_EQ', value: '8' },
    ];
    const places = await problemsOf({ constraints: [...illegal, ...legal] });
    expect(places.map((place) => place.split('.').slice(0, 2).join('.'))).toEqual(
      [0, 1, 2, 3].map((index) => `constraints.${index}`),
    );
  });

  test('are thirty at the most, with 250 values each', async () => {
    const name = await newFeature();
    const values = Array.from({ length: 250 }, (_, index) => `v${index}`);
    const one = { contextName: 'userId', operator: 'IN', values: ['a'] };
    const most = [{ ...one, values }, ...Array.from({ length: 29 }, () => one)];
    expect((await add(name, { name: 'default', constraints: most })).status).toBe(200);
    expect(await problemsOf({ constraints: [...most, one] })).toEqual(['constraints']);
    expect(await problemsOf({ constraints: [one, { ...one, values: [...values, 'more'] }] })).toEqual([
      'constraints.1.values',
    ]);
  });
});

describe('The variants of a strategy', () => {
  const variable = (name: string, weight = 0) => ({ name, weight, weightType: 'variable', stickiness: 'default' });
  const fix = (name: string, weight: number) => ({ ...variable(name, weight), weightType: 'fix' });

  test.each([
    [
      [variable('a'), variable('b'), variable('c')],
      [334, 333, 333],
    ],
    [
      [fix('a', 1), variable('b'), variable('c', 1000), fix('d', 0)],
      [1, 500, 499, 0],
    ],
  ])('of %j get the weights %j', async (variants, weights) => {
    const name = await newFeature();
    const { status, body } = await add(name, { name: 'flexibleRollout', variants });
    expect(status).toBe(200);
    expect(body.variants).toEqual(variants.map((variant, index) => ({ ...variant, weight: weights[index] })));
    expect((await readState(service, name)).strategies[0].variants).toEqual(body.variants);
  });

  test.each([
    ['a name twice', [variable('a'), variable('b'), variable('a')]],
    ['no variable one', [fix('a', 500), fix('b', 500)]],
    ['fixed weights above 1000', [fix('a', 600), fix('b', 401), variable('c')]],
  ])('may not have %s', async (_title, variants) => {
    expect(await problemsOf({ variants })).toEqual(['variants']);
  });
});

describe('The segments of a strategy', () => {
  test('count once each, and are five at the most', async () => {
    const name = await newFeature();
    const { body } = await add(name, { name: 'default', segments: [3, 1, 3, 2, 4, 5, 1] });
    expect(body.segments).toEqual([3, 1, 2, 4, 5]);
    expect(await problemsOf({ segments: [1, 2, 3, 4, 5, 6] })).toEqual(['segments']);
  });

  test('must exist: an unknown one is a 404', async () => {
    for (const segments of [[99], [1, 99], [Number.MAX_SAFE_INTEGER]]) {
      expect(await add(bare, { name: 'default', segments })).toMatchObject({ status: 404 });
    }
  });

  test('may belong to no other project', async () => {
    expect(await problemsOf({ segments: [1, 7] })).toEqual(['segments']);
    const name = await newFeature('shop');
    expect((await add(name, { name: 'default', segments: [1, 7] }, 'staging', 'shop')).status).toBe(200);
  });

  test('are listed with all other problems that only the store can tell', async () => {
    const constraints = [{ contextName: 'country', operator: 'IN', values: ['DE'] }];
    const places = await problemsOf({ name: 'unknown', segments: [7], constraints });
    expect(places).toEqual([expect.stringMatching(/^constraints\.0/), 'name', 'segments']);
  });

  test('of refused strategies leave nothing behind', async () => {
    expect((await readFeature(service, bare)).environments).toMatchObject([{ strategies: [] }, { strategies: [] }]);
    expect(await eventTypesOf(service, bare)).toEqual(['feature-created']);
  });
});

describe('The thirty strategies of a feature in an environment', () => {
  const named = (featureName: string, amount: number) =>
    importFileParts(service, {
      features: [{ name: featureName }],
      featureStrategies: Array.from({ length: amount }, () => ({ name: 'default', featureName })),
    });

  test('have no room for another, wherever it came from', async () => {
    const name = await newFeature();
    await named(name, 29);
    expect((await add(name, { name: 'default' })).status).toBe(200);
    const events = await eventsAddedBy(service, name, async () => {
      expect(await add(name, { name: 'default' })).toMatchObject({ status: 400, body: { name: 'ValidationError' } });
    });
    expect(events).toEqual([]);
    expect((await add(name, { name: 'default' }, 'production')).status).toBe(200);
  });

  test('are the ones that were first when too many are added at the same time, each in a place of its own', async () => {
    const name = await newFeature();
    await named(name, 25);
    const events = await eventsAddedBy(service, name, async () => {
      const answers = await Promise.all(Array.from({ length: 8 }, () => add(name, { name: 'default' })));
      expect(frequencies(answers.map(({ status }) => status))).toEqual({ 200: 5, 400: 3 });
    });
    const { strategies } = await readState(service, name);
    const orders = strategies.map(({ sortOrder }: { sortOrder: number }) => sortOrder);
    expect(orders).toEqual(Array.from({ length: 30 }, (_, index) => index));
    expect(events.map(({ data }) => data?.id)).toEqual(strategies.slice(25).map(({ id }: { id: string }) => id));
  });
});

describe('Adding a strategy', () => {
  survivesFaults(
    async (faulty, feature) => {
      await addFeaturesOn(faulty, [feature]);
      return {
        feature,
        call: () => faulty.post(paths.strategies(feature), { name: 'flexibleRollout' }),
        events: ['feature-strategy-add'],
        repeats: true,
      };
    },
    { readsEnvironment: true },
  );
});
