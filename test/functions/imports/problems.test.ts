import { beforeAll, describe, expect, test } from 'vitest';
import { readFeature } from '../../harness/features.ts';
import {
  type FileData,
  type ImportOptions,
  imported,
  importSeed,
  sendImport,
  writesNothing,
} from '../../harness/imports.ts';
import { sharedService } from '../../specifications/specify.ts';

const service = sharedService(importSeed);
beforeAll(async () => {
  await imported(service, { features: [{ name: 'here' }] });
  await imported(service, { features: [{ name: 'elsewhere' }] }, { project: 'other' });
  await imported(service, { features: [{ name: 'gone', archived: true }] });
});

const refused = (data: FileData, options?: ImportOptions) =>
  writesNothing(service, () => sendImport(service, data, options));

const strategy = (featureName: string, more = {}) => ({ name: 'default', featureName, ...more });
const constraint = (contextName: string, ...values: string[]) => ({ contextName, operator: 'IN', values });
const legal = (...values: string[]) => values.map((value) => ({ value }));

/** A file with a mistake of each kind that only the store can tell, among good features. */
const everything: FileData = {
  features: [...['good', 'elsewhere', 'gone', 'has space'].map((name) => ({ name })), { name: 'here', stale: true }],
  featureStrategies: [
    strategy('good', { name: 'no-such-type' }),
    strategy('good', { segments: [41], constraints: [constraint('country', 'GR'), constraint('tier', 'gold', 'tin')] }),
    strategy('nowhere'),
  ],
  featureEnvironments: [{ name: 'nowhere', enabled: true }],
  featureTags: [{ featureName: 'good', tagType: 'no-such-tag-type', tagValue: 'xx' }],
  tagTypes: [{ name: 'never-made' }],
  contextFields: [
    { name: 'country', legalValues: legal('CH', 'FR') },
    { name: 'userId', legalValues: legal('7') },
    { name: 'tier', legalValues: legal('gold') },
  ],
  segments: [
    { id: 1, name: 'no-such-segment' },
    { id: 2, name: 'there' },
  ],
  dependencies: [
    { feature: 'good', dependencies: ['no-such-parent', 'elsewhere', 'gone'].map((feature) => ({ feature })) },
  ],
};

// test/lib/imports has all that can be wrong with a file.
describe('A file is refused, and nothing is written, for', () => {
  test('all that the store has otherwise, with every place in one answer', async () => {
    const before = await readFeature(service, 'here');
    const { status, body } = await refused(everything);
    expect([status, body.name]).toEqual([400, 'ValidationError']);
    const places: string[] = body.details.map(({ path }: { path: string }) => path);
    expect(places.toSorted()).toEqual([
      'data.contextFields.0.legalValues',
      'data.contextFields.1.legalValues',
      'data.dependencies.0.dependencies.0',
      'data.dependencies.0.dependencies.1',
      'data.dependencies.0.dependencies.2',
      'data.featureEnvironments.0',
      'data.featureStrategies.0.name',
      'data.featureStrategies.1.constraints.0',
      'data.featureStrategies.1.constraints.1',
      'data.featureStrategies.1.segments',
      'data.featureStrategies.2.featureName',
      'data.featureTags.0',
      'data.features.1.name',
      'data.features.2.name',
      'data.features.3.name',
      'data.segments.0.name',
      'data.segments.1.name',
    ]);
    expect(body.message).toContain(String(places.length));
    expect(await readFeature(service, 'here')).toEqual(before);
    expect((await service.get('/api/admin/events/good')).body).toMatchObject({ totalEvents: 0 });
  });

  test('a feature that is archived in another project', async () => {
    await imported(service, { features: [{ name: 'gone-there', archived: true }] }, { project: 'other' });
    const { status } = await refused({ features: [{ name: 'gone-there', archived: true }] });
    expect(status).toBe(400);
  });

  test('strategies and variants that the operations of one feature would refuse', async () => {
    const { status, body } = await refused({
      features: [{ name: 'f' }],
      featureStrategies: [
        strategy('f', { constraints: [{ contextName: 'userId', operator: 'NUM_EQ', value: 'abc' }] }),
        strategy('f', { name: 'flexibleRollout', parameters: { rollout: 'lots' } }),
        strategy('f', { variants: [{ name: 'v', weight: 1000, weightType: 'fix', stickiness: 'default' }] }),
        strategy('f', { segments: [1, 2, 3, 4, 5, 6] }),
      ],
      featureEnvironments: [{ name: 'f', enabled: true, variants: [{ name: 'v', weight: 1001 }] }],
    });
    expect(status).toBe(400);
    expect(new Set(body.details.map(({ path }: { path: string }) => path))).toEqual(
      new Set([
        'data.featureStrategies.0.constraints.0',
        'data.featureStrategies.1.parameters.rollout',
        'data.featureStrategies.2.variants',
        'data.featureStrategies.3.segments',
        'data.featureEnvironments.0.variants.0.weight',
      ]),
    );
  });

  test('a tag without a value by either of its names', async () => {
    const { status, body } = await refused({ features: [{ name: 'f' }], featureTags: [{ featureName: 'f' }] });
    expect([status, body.details]).toMatchObject([400, [{ path: 'data.featureTags.0' }]]);
  });
});

test('A message that quotes a long text does not tear a character apart', async () => {
  const text = `n${'\u{1f600}'.repeat(60)}`;
  const answer = await refused({
    features: [{ name: text }],
    featureStrategies: [strategy(text, { name: text })],
    segments: [{ id: 1, name: text }],
  });
  expect(answer.status).toBe(400);
  for (const { message } of answer.body.details) expect(message.isWellFormed(), message).toBe(true);
  expect(answer.text).not.toMatch(/\\ud[89a-f]/i);
});

describe('A target that does not exist is a 404 that writes nothing', () => {
  test.each<[string, ImportOptions]>([
    ['an unknown project', { project: 'no-such-project' }],
    ['an unknown environment', { environment: 'no-such-environment' }],
    ['an environment that only another project has', { project: 'other', environment: 'production' }],
  ])('%s, whether the file is empty or bad', async (_what, options) => {
    for (const data of [{}, everything]) {
      const { status, body } = await refused(data, options);
      expect([status, body.name]).toEqual([404, 'NotFoundError']);
    }
  });
});
