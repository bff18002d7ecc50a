import { describe, expect, test } from 'vitest';
import { survivesFaults } from '../../harness/faults.ts';
import {
  addFeaturesOn,
  enabledCounts,
  eventTypesOf,
  featureEventsOf,
  frequencies,
  paths,
  readState,
  shopSeed,
  someOf,
} from '../../harness/features.ts';
import { countTransactions } from '../../harness/imports.ts';
import { ofFeatures } from '../../specifications/bodies.ts';
import { openTo, sharedService, specify } from '../../specifications/specify.ts';

specify('bulkToggleFeaturesEnvironmentOff', {
  route: 'POST /api/admin/projects/{projectId}/bulk_features/environments/{environment}/off',
  unversioned: 'it is about many things',
  ...openTo('Member', 'UPDATE_FEATURE_ENVIRONMENT'),
  request: (world) => ofFeatures(world, 1, { on: true }),
  others: {
    '100 features': (world) => ofFeatures(world, 100, { on: true }),
  },
  eachOf: 'live',
  required: ['features'],
});

let made = 0;

const service = sharedService(shopSeed);

/** Features of their own for a test, on in development. */
async function newFeatures(amount: number): Promise<string[]> {
  made += 1;
  const names = Array.from({ length: amount }, (_, index) => `group-${made}-${index}`);
  await addFeaturesOn(service, names);
  return names;
}

const switchOff = (features: unknown, environment?: string, project?: string) =>
  service.post(paths.off(environment, project), { features });

/** The count moves in the transaction of each, so that of many features some will do. */
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
  test('takes a list of thousands of repetitions', async () => {
    const names = await newFeatures(2);
    expect((await switchOff(Array.from({ length: 6_000 }, (_, index) => names[index % 2]))).status).toBe(200);
    await expectOff(names);
  });

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

  test('gives ids that rise with the list', async () => {
    const names = await newFeatures(12);
    await switchOff(names.toReversed());
    const events = await Promise.all(names.map((name) => featureEventsOf(service, name)));
    const ids = events.toReversed().map((list) => list.at(-1)?.id ?? 0);
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    expect(new Set(ids).size).toBe(12);
  });

  test('makes one event for each feature when three do it at the same time', async () => {
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
