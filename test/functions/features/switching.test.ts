import { describe, expect, test } from 'vitest';
import { survivesFaults } from '../../harness/faults.ts';
import {
  addFeatures,
  addFeaturesOn,
  enabledCounts,
  eventsAddedBy,
  eventTypesOf,
  frequencies,
  paths,
  readFeature,
  readState,
  shopSeed,
  someOf,
} from '../../harness/features.ts';
import { countTransactions } from '../../harness/imports.ts';
import { ofFeatures } from '../../specifications/bodies.ts';
import { openTo, sharedWorld, specify } from '../../specifications/specify.ts';

const { service, world } = sharedWorld(shopSeed);

specify('toggleFeatureEnvironmentOn', {
  route: 'POST /api/admin/projects/{projectId}/features/{featureName}/environments/{environment}/on',
  ...openTo('Member', 'UPDATE_FEATURE_ENVIRONMENT'),
  request: async (world) => ({ params: (await world.feature()).place }),
  others: {
    'with its own strategy': async (world) => ({
      params: (await world.feature({ strategies: [{ name: 'default' }] })).place,
    }),
    'with its disabled strategies': async (world) => ({
      params: (await world.feature({ strategies: [{ name: 'default', disabled: true }] })).place,
      query: { shouldActivateDisabledStrategies: 'true' },
    }),
  },
  misdescribed: 'an empty body',
  differs: 'answers `{}`',
});

const on = (name: string, query = '', environment?: string, project?: string) =>
  service.post(`${paths.switch(name, 'on', environment, project)}${query}`);
const typesAddedBy = async (name: string, call: () => Promise<unknown>) =>
  (await eventsAddedBy(service, name, call)).map(({ type }) => type);

describe('Switching a feature on', () => {
  test('keeps its strategies if one of them is enabled', async () => {
    const { name } = await world.feature({ strategies: [{ name: 'default' }, { name: 'default', disabled: true }] });
    const before = await readState(service, name);
    const counts = await enabledCounts(service);
    expect(await typesAddedBy(name, () => on(name))).toEqual(['feature-environment-enabled']);
    expect(await readState(service, name)).toEqual({ ...before, enabled: true });
    expect(await enabledCounts(service)).toEqual({ ...counts, development: Number(counts.development) + 1 });
  });

  test('adds a gradual rollout to all users if it has no strategy', async () => {
    await addFeatures(service, ['bare'], { project: 'shop' });
    const types = await typesAddedBy('bare', () => on('bare', '', 'staging', 'shop'));
    expect(types).toEqual(['feature-strategy-add', 'feature-environment-enabled']);
    expect(await readState(service, 'bare', 'staging', 'shop')).toMatchObject({
      enabled: true,
      strategies: [
        {
          name: 'flexibleRollout',
          disabled: false,
          sortOrder: 0,
          parameters: { rollout: '100', stickiness: 'userId', groupId: 'bare' },
        },
      ],
    });
  });

  test('adds a copy of the default strategy after the disabled ones', async () => {
    const project = await world.project();
    const { name } = await world.feature({ project, strategies: [{ name: 'default', disabled: true, sortOrder: 4 }] });
    await world.ask('POST', `/api/admin/projects/${project}/environments/development/default-strategy`, {
      name: 'flexibleRollout',
      title: 'Ours',
      disabled: true,
      parameters: { rollout: '20' },
    });
    expect(await typesAddedBy(name, () => on(name, '', 'development', project))).toEqual([
      'feature-strategy-add',
      'feature-environment-enabled',
    ]);
    expect(await readState(service, name, 'development', project)).toMatchObject({
      enabled: true,
      strategies: [
        { name: 'default', disabled: true, sortOrder: 4 },
        { name: 'flexibleRollout', title: 'Ours', disabled: false, sortOrder: 5, parameters: { rollout: '20' } },
      ],
    });
  });

  test('enables all disabled strategies on demand, and adds none', async () => {
    const strategies = [
      { name: 'default', disabled: true },
      { name: 'default', title: 'on' },
    ];
    const { name } = await world.feature({ strategies });
    const events = await eventsAddedBy(service, name, () => on(name, '?shouldActivateDisabledStrategies=true'));
    expect(events).toMatchObject([
      { type: 'feature-strategy-update', data: { disabled: false }, preData: { disabled: true } },
      { type: 'feature-environment-enabled' },
    ]);
    const state = await readState(service, name);
    expect(state.strategies.map(({ disabled }: { disabled: boolean }) => disabled)).toEqual([false, false]);
  });

  test('also enables them if the feature is on already', async () => {
    const { name } = await world.feature({ on: true });
    await world.ask('POST', paths.strategies(name), { name: 'default', disabled: true });
    const types = await typesAddedBy(name, () => on(name, '?shouldActivateDisabledStrategies=true'));
    expect(types).toEqual(['feature-strategy-update']);
  });

  test('refuses a query that is neither true nor false', async () => {
    const { name } = await world.feature();
    expect((await on(name, '?shouldActivateDisabledStrategies=maybe')).status).toBe(400);
  });

  test('is refused with advice if thirty disabled strategies leave no room for another one', async () => {
    const strategies = Array.from({ length: 30 }, () => ({ name: 'default', disabled: true }));
    const { name } = await world.feature({ strategies });
    expect(await on(name)).toMatchObject({ status: 400, body: { name: 'ValidationError' } });
    expect((await on(name, '?shouldActivateDisabledStrategies=true')).status).toBe(200);
  });

  test('adds one strategy and one event if four requests come at the same time', async () => {
    const { name } = await world.feature();
    const types = await typesAddedBy(name, async () => {
      const answers = await Promise.all(Array.from({ length: 4 }, () => on(name)));
      expect(frequencies(answers.map(({ status }) => status))).toEqual({ 200: 4 });
    });
    expect(types).toEqual(['feature-strategy-add', 'feature-environment-enabled']);
  });
});

specify('toggleFeatureEnvironmentOff', {
  route: 'POST /api/admin/projects/{projectId}/features/{featureName}/environments/{environment}/off',
  ...openTo('Member', 'UPDATE_FEATURE_ENVIRONMENT'),
  request: async (world) => ({ params: (await world.feature({ on: true })).place }),
  misdescribed: 'an empty body',
  differs: 'answers `{}`',
});

describe('Switching a feature off', () => {
  // The two operations have different writes.
  test.each([
    ['alone', (name: string) => service.post(paths.switch(name, 'off'))],
    ['with others', (name: string) => service.post(paths.off(), { features: [name] })],
  ] as const)('%s leaves all else of it as it is, and the other environments', async (_how, off) => {
    const { name } = await world.feature({ on: true, tags: [{ type: 'simple', value: 'tagged' }] });
    await addFeaturesOn(service, [name], { environment: 'production' });
    const before = await readFeature(service, name);
    const counts = await enabledCounts(service);
    await off(name);
    const [development, production] = before.environments;
    expect(await readFeature(service, name)).toEqual({
      ...before,
      environments: [{ ...development, enabled: false }, production],
    });
    expect(await enabledCounts(service)).toEqual({ ...counts, development: Number(counts.development) - 1 });
  });
});

specify('bulkToggleFeaturesEnvironmentOn', {
  route: 'POST /api/admin/projects/{projectId}/bulk_features/environments/{environment}/on',
  unversioned: 'it is about many things',
  ...openTo('Member', 'UPDATE_FEATURE_ENVIRONMENT'),
  request: (world) => ofFeatures(world, 1, {}),
  others: { '50 features': (world) => ofFeatures(world, 50, { strategies: [{ name: 'default' }] }) },
  eachOf: 'live',
  required: ['features'],
  waits: 3,
});

describe('Switching features on', () => {
  const on = (features: readonly string[], query = '') => service.post(`${paths.on()}${query}`, { features });

  test('enables disabled strategies on demand', async () => {
    const names = await world.featureNames(2, { strategies: [{ name: 'default', disabled: true }] });
    expect((await on(names, '?shouldActivateDisabledStrategies=true')).status).toBe(200);
    for (const name of names) {
      expect(await readState(service, name)).toMatchObject({ enabled: true, strategies: [{ disabled: false }] });
    }
  });
});

specify('bulkToggleFeaturesEnvironmentOff', {
  route: 'POST /api/admin/projects/{projectId}/bulk_features/environments/{environment}/off',
  unversioned: 'it is about many things',
  ...openTo('Member', 'UPDATE_FEATURE_ENVIRONMENT'),
  request: (world) => ofFeatures(world, 1, { on: true }),
  others: { '100 features': (world) => ofFeatures(world, 100, { on: true }) },
  eachOf: 'live',
  required: ['features'],
});

let made = 0;

/** Creates features for a test that are on in development. */
async function newFeatures(amount: number): Promise<string[]> {
  made += 1;
  const names = Array.from({ length: amount }, (_, index) => `group-${made}-${index}`);
  await addFeaturesOn(service, names);
  return names;
}

const switchOff = (features: unknown, environment?: string, project?: string) =>
  service.post(paths.off(environment, project), { features });

/** Reads the states of some features: the count changes in the transaction of each, so that some are enough. */
async function expectOff(names: readonly string[]) {
  const found = await Promise.all(
    someOf(names).map((name) => Promise.all([eventTypesOf(service, name), readState(service, name)])),
  );
  for (const [types, state] of found) {
    expect(types.filter((type) => type === 'feature-environment-disabled')).toHaveLength(1);
    expect(state).toMatchObject({ enabled: false, hasStrategies: true });
  }
}

async function countDevelopment(): Promise<number> {
  return Number((await enabledCounts(service)).development);
}

describe('Switching features off in an environment', () => {
  test('is one transaction for thirty features, and few for a hundred', async () => {
    for (const [amount, transactionsMax] of [
      [30, 1],
      [100, 4],
    ] as const) {
      const names = await newFeatures(amount);
      const counted = await countDevelopment();
      expect(await countTransactions(service.table, () => switchOff(names))).toBeLessThanOrEqual(transactionsMax);
      expect(await countDevelopment()).toBe(counted - amount);
      await expectOff(names);
    }
  });

  test('has one event per feature if three requests come at the same time', async () => {
    const names = await newFeatures(40);
    const counted = await countDevelopment();
    const answers = await Promise.all([1, 2, 3].map((n) => switchOff(n % 2 === 0 ? names : names.toReversed())));
    expect(frequencies(answers.map(({ status }) => status))).toEqual({ 200: 3 });
    await expectOff(names);
    expect(await countDevelopment()).toBe(counted - 40);
  });
});

describe('Switching a feature off', () => {
  survivesFaults(
    async (faulty, feature) => {
      await addFeaturesOn(faulty, [feature, `${feature}-too`]);
      return {
        feature,
        call: () => faulty.post(paths.off(), { features: [feature, `${feature}-too`] }),
        events: ['feature-environment-disabled'],
      };
    },
    { isOfStore: false },
  );
});
