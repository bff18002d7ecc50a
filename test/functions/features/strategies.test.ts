import { beforeAll, describe, expect, test } from 'vitest';
import { survivesFaults } from '../../harness/faults.ts';
import {
  addFeatures,
  addFeaturesOn,
  enabledCounts,
  eventsAddedBy,
  frequencies,
  importFileParts,
  paths,
  problemPaths,
  readState,
  shopSeed,
} from '../../harness/features.ts';
import { strategyPlaces, wholeStrategy } from '../../specifications/bodies.ts';
import { openTo, sharedWorld, specify } from '../../specifications/specify.ts';

const { service, world } = sharedWorld(shopSeed);

specify('addFeatureStrategy', {
  route: 'POST /api/admin/projects/{projectId}/features/{featureName}/environments/{environment}/strategies',
  ...openTo('Member', 'CREATE_FEATURE_STRATEGY'),
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

/** Creates a feature for refused requests, which never gets a strategy. */
const bare = 'bare';

beforeAll(async () => {
  await addFeatures(service, [bare]);
});

const newFeature = async (project?: string) => (await world.feature({ project })).name;

const add = (name: string, strategy: unknown, environment?: string, project?: string) =>
  service.post(paths.strategies(name, environment, project), strategy);

/** Returns the paths of all problems of a refused strategy. */
async function problemsOf(strategy: object): Promise<string[]> {
  const answer = await add(bare, { name: 'default', ...strategy });
  expect(answer).toMatchObject({ body: { name: 'ValidationError' } });
  return problemPaths(answer);
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('Adding a strategy', () => {
  test('returns the stored strategy with all its fields', async () => {
    const name = await newFeature();
    const variant = { name: 'blue', weight: 1000, weightType: 'variable', stickiness: 'userId' };
    const constraint = { contextName: 'userId', operator: 'IN', values: ['1', '2'] };
    const input = {
      name: 'remoteAddress',
      title: 'Our offices',
      disabled: true,
      sortOrder: 7,
      constraints: [{ ...constraint, inverted: true, caseInsensitive: true }, constraint],
      variants: [{ ...variant, weight: 1, payload: { type: 'json', value: '{"a":1}' } }],
      parameters: { IPs: '10.0.0.0/8', more: '' },
      segments: [2, 1],
    };
    const { status, body } = await add(name, { ...input, id: 'mine', featureName: 'other', bogus: true });
    expect(status).toBe(200);
    const variants = input.variants.map((variant) => ({ ...variant, weight: 1000 }));
    expect(body).toEqual({ ...input, variants, id: expect.stringMatching(uuid), featureName: name });
    const { featureName: _featureName, ...stored } = body;
    expect((await readState(service, name)).strategies).toEqual([stored]);
    expect((await readState(service, name, 'production')).strategies).toEqual([]);
  });

  test('gives a rollout the defaults of its project and its feature, and does not switch the feature on', async () => {
    const name = await newFeature('shop');
    const counts = await enabledCounts(service);
    const { body } = await add(name, { name: 'flexibleRollout' }, 'staging', 'shop');
    const parameters = { rollout: '100', stickiness: 'userId', groupId: name };
    expect(body).toMatchObject({ featureName: name, parameters });
    const state = await readState(service, name, 'staging', 'shop');
    expect(state).toMatchObject({ enabled: false, hasStrategies: true, strategies: [{ id: body.id, parameters }] });
    expect(await enabledCounts(service)).toEqual(counts);
  });

  test('refuses a rollout other than a number from 0 to 100, together with all other problems', async () => {
    for (const rollout of ['110', 'lots', '', '-1', '5%', '1e1', '0x10', ' 5', '100.5', 'NaN', '٥']) {
      const strategy = { name: 'flexibleRollout', parameters: { rollout }, sortOrder: 1.5 };
      expect(await problemsOf(strategy), rollout).toEqual(['parameters.rollout', 'sortOrder']);
    }
  });

  test('accepts any rollout from 0 to 100, and any text for a parameter of that name of another type', async () => {
    const name = await newFeature();
    for (const rollout of ['0', '33.3', '100.0', '07']) {
      const answer = await add(name, { name: 'flexibleRollout', parameters: { rollout } });
      expect(answer).toMatchObject({ status: 200, body: { parameters: { rollout } } });
    }
    expect(await add(name, { name: 'storeHours', parameters: { rollout: 'lots' } })).toMatchObject({ status: 200 });
  });

  test('accepts numbers and booleans in constraints and parameters, and stores them as texts', async () => {
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

  test('counts each segment once, and accepts at most five', async () => {
    const name = await newFeature();
    const { body } = await add(name, { name: 'default', segments: [3, 1, 3, 2, 4, 5, 1] });
    expect(body.segments).toEqual([3, 1, 2, 4, 5]);
    expect(await problemsOf({ segments: [1, 2, 3, 4, 5, 6] })).toEqual(['segments']);
  });
});

describe('The thirty strategies of a feature in an environment', () => {
  const named = (featureName: string, amount: number) =>
    importFileParts(service, {
      features: [{ name: featureName }],
      featureStrategies: Array.from({ length: amount }, () => ({ name: 'default', featureName })),
    });

  test('leave no room for another one from any operation', async () => {
    const name = await newFeature();
    await named(name, 29);
    expect((await add(name, { name: 'default' })).status).toBe(200);
    const events = await eventsAddedBy(service, name, async () => {
      expect(await add(name, { name: 'default' })).toMatchObject({ status: 400, body: { name: 'ValidationError' } });
    });
    expect(events).toEqual([]);
    expect((await add(name, { name: 'default' }, 'production')).status).toBe(200);
  });

  test('are the first ones if too many are added at the same time, each with its own position', async () => {
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

specify('deleteFeatureStrategy', {
  route:
    'DELETE /api/admin/projects/{projectId}/features/{featureName}/environments/{environment}/strategies/{strategyId}',
  ...openTo('Member', 'DELETE_FEATURE_STRATEGY'),
  request: async (world) => ({ params: await world.strategyPlace({ on: true }) }),
  again: 404,
});

describe('Deleting a strategy', () => {
  const remove = (name: string, id: string) => service.call('DELETE', `${paths.strategies(name)}/${id}`);

  test('does not change the others, and keeps the feature on', async () => {
    const feature = await world.feature({ on: true });
    const [before] = (await readState(service, feature.name)).strategies;
    const id = await world.strategy(feature);
    await remove(feature.name, id);
    expect(await readState(service, feature.name)).toMatchObject({ enabled: true, strategies: [before] });
  });

  test('switches the feature off with the last enabled one, in the same transaction', async () => {
    const feature = await world.feature({ on: true });
    await world.strategy(feature, { name: 'default', disabled: true });
    const [enabled] = (await readState(service, feature.name)).strategies;
    const events = await eventsAddedBy(service, feature.name, () => remove(feature.name, enabled?.id ?? ''));
    expect(events.map(({ type }) => type).toSorted()).toEqual([
      'feature-environment-disabled',
      'feature-strategy-remove',
    ]);
    expect(await readState(service, feature.name)).toMatchObject({ enabled: false });
  });
});

specify('setStrategySortOrder', {
  route:
    'POST /api/admin/projects/{projectId}/features/{featureName}/environments/{environment}/strategies/set-sort-order',
  ...openTo('Member', 'UPDATE_FEATURE_STRATEGY'),
  request: async (world) => {
    const feature = await world.feature();
    return { params: feature.place, body: [{ id: await world.strategy(feature), sortOrder: 9 }] };
  },
  others: {
    'two strategies': async (world) => {
      const feature = await world.feature();
      const [first, second] = [await world.strategy(feature), await world.strategy(feature)];
      return {
        params: feature.place,
        body: [
          { id: first, sortOrder: 9 },
          { id: second, sortOrder: 8 },
        ],
      };
    },
  },
  required: ['0.id', '0.sortOrder'],
});

describe('Reordering strategies', () => {
  async function made() {
    const feature = await world.feature();
    const ids = [await world.strategy(feature), await world.strategy(feature), await world.strategy(feature)] as const;
    const order = (body: object) => service.post(`${paths.strategies(feature.name)}/set-sort-order`, body);
    const read = async (): Promise<{ id: string; sortOrder: number }[]> =>
      (await service.get(paths.strategies(feature.name))).body;
    return { name: feature.name, ids, order, read };
  }

  test('moves the named ones, with one event', async () => {
    const { name, ids, order, read } = await made();
    const [a, b, c] = ids;
    const events = await eventsAddedBy(service, name, () =>
      order([
        { id: a, sortOrder: 2 },
        { id: c, sortOrder: -1 },
      ]),
    );
    expect((await read()).map(({ id, sortOrder }) => [id, sortOrder])).toEqual([
      [c, -1],
      [b, 1],
      [a, 2],
    ]);
    expect(events).toMatchObject([{ preData: { strategyIds: [a, b, c] }, data: { strategyIds: [c, b, a] } }]);
  });

  test('writes nothing if all have these positions already', async () => {
    const { name, ids, order } = await made();
    const same = ids.map((id, sortOrder) => ({ id, sortOrder }));
    expect(await eventsAddedBy(service, name, () => order(same))).toEqual([]);
    expect(await eventsAddedBy(service, name, () => order([]))).toEqual([]);
  });

  test('is refused with every unknown strategy, also of another feature, and every repeated one', async () => {
    const { ids, order, read } = await made();
    const other = await world.strategy(await world.feature());
    const before = await read();
    const known = { id: ids[0], sortOrder: 7 };
    const unknown = await order([known, { id: 'unknown', sortOrder: 1 }, { id: other, sortOrder: 2 }]);
    expect(unknown).toMatchObject({ status: 404, body: { details: [{ path: '1.id' }, { path: '2.id' }] } });
    const twice = await order([known, { id: ids[1], sortOrder: 1 }, known]);
    expect(twice).toMatchObject({ status: 400, body: { name: 'ValidationError' } });
    expect(problemPaths(twice)).toEqual(['2.id']);
    expect(await read()).toEqual(before);
  });
});
