import fc from 'fast-check';
import { expect, test } from 'vitest';
import { freshService, type Service } from '../../harness/service.ts';

const names = ['a', 'b', 'c', 'd'] as const;
const words = fc.constantFrom('', 'word', 'ein Wort', '世界', '{"json":true}');

const feature = fc.record({
  type: fc.constantFrom('release', 'experiment', 'kill-switch'),
  description: words,
  stale: fc.boolean(),
  impressionData: fc.boolean(),
});
const constraint = fc.record({
  contextName: fc.constantFrom('userId', 'region', 'unknown'),
  operator: fc.constantFrom('IN', 'NOT_IN', 'STR_CONTAINS'),
  values: fc.uniqueArray(fc.constantFrom('1', '2', 'drei'), { minLength: 1 }),
  inverted: fc.boolean(),
  caseInsensitive: fc.boolean(),
});
const strategy = fc.record({
  name: fc.constantFrom('default', 'flexibleRollout', 'userWithId'),
  featureName: fc.constantFrom(...names),
  title: words,
  disabled: fc.boolean(),
  constraints: fc.array(constraint, { maxLength: 2 }),
});
const state = fc.record({ enabled: fc.boolean(), isVaried: fc.boolean() });

/** A file about the four features, of which the first is what others depend on. */
const file = fc
  .record({
    features: fc.tuple(feature, feature, feature, feature),
    states: fc.tuple(state, state, state, state),
    featureStrategies: fc.array(strategy, { maxLength: 6 }),
    tagged: fc.uniqueArray(fc.tuple(fc.constantFrom(...names), fc.constantFrom('red', 'blue')), {
      selector: (tag) => tag.join(),
    }),
    children: fc.subarray(['b', 'c', 'd']),
  })
  .map(({ features, states, featureStrategies, tagged, children }) => ({
    features: features.map((each, index) => ({ ...each, name: names[index] })),
    featureStrategies,
    featureEnvironments: states.map(({ enabled, isVaried }, index) => ({
      name: 'development',
      featureName: names[index],
      enabled,
      variants: isVaried ? [{ name: 'only', weight: 1000, weightType: 'variable', stickiness: 'userId' }] : [],
    })),
    contextFields: [
      {
        name: 'region',
        project: 'default',
        description: 'Where',
        legalValues: [{ value: '1' }, { value: '2' }, { value: 'drei' }],
      },
    ],
    featureTags: tagged.map(([featureName, tagValue]) => ({ featureName, tagType: 'color', tagValue })),
    tagTypes: [{ name: 'color', description: 'Colors', icon: 'C' }],
    dependencies: children.map((child) => ({ feature: child, dependencies: [{ feature: 'a', enabled: true }] })),
  }));

/** Handlers find their table by the environment. */
function enter({ table }: Service): void {
  process.env.TABLE_NAME = table.store.name;
}

async function load(service: Service, data: object): Promise<void> {
  enter(service);
  const body = { project: 'default', environment: 'development', data };
  const { status, text } = await service.post('/api/admin/features-batch/import', body);
  expect(status, text).toBe(200);
}

/** An export without the ids of strategies, which each store gives out itself. */
async function exported(service: Service) {
  enter(service);
  const { body } = await service.post('/api/admin/features-batch/export', { environment: 'development' });
  return { whole: body, same: JSON.parse(JSON.stringify(body, (key, value) => (key === 'id' ? undefined : value))) };
}

test('An export that is imported into an empty service is exported from there as it was', async () => {
  await fc.assert(
    fc.asyncProperty(file, async (data) => {
      const [first, second] = [await freshService(), await freshService()];
      await load(first, data);
      const before = await exported(first);
      await load(second, before.whole);
      expect((await exported(second)).same).toEqual(before.same);
      // Nor does it change the service that it comes from.
      await load(first, before.whole);
      expect((await exported(first)).whole).toEqual(before.whole);
    }),
    { numRuns: 3 },
  );
});
