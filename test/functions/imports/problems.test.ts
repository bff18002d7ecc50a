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
import { importPath } from '../../specifications/files.ts';
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

/** Reasons for which a file is not imported: what it is, the file, and the text that each of the details must contain. */
const problems: [what: string, data: FileData, details: string[]][] = [
  ['a name with a space', { features: [{ name: 'has space' }] }, ['has space']],
  ['a name that is empty', { features: [{ name: '' }] }, ['""']],
  ['the name .', { features: [{ name: '.' }] }, ['"."']],
  ['the name ..', { features: [{ name: '..' }] }, ['".."']],
  ['a name of 101 characters', { features: [{ name: 'n'.repeat(101) }] }, ['nnn']],
  ['a name with a slash', { features: [{ name: 'a/b' }] }, ['a/b']],
  ['a feature twice', { features: [{ name: 'twice' }, { name: 'twice' }] }, ['twice']],
  ['a feature of another project', { features: [{ name: 'elsewhere' }] }, ['elsewhere']],
  ['an archived feature', { features: [{ name: 'gone' }] }, ['gone']],
  ['an archived feature as a live one', { features: [{ name: 'gone', archived: false }] }, ['gone']],
  [
    'an unsupported strategy type',
    { features: [{ name: 'p1' }], featureStrategies: [strategy('p1', { name: 'no-such-type' })] },
    ['no-such-type'],
  ],
  ['a strategy of a feature that is not in the file', { featureStrategies: [strategy('here')] }, ['here']],
  ['a strategy of a feature that is nowhere', { featureStrategies: [strategy('nowhere-1')] }, ['nowhere-1']],
  ['a tag of a feature that is not in the file', { featureTags: [{ featureName: 'here', tagValue: 'xx' }] }, ['here']],
  [
    'a state of a feature that is not in the file',
    { featureEnvironments: [{ featureName: 'here', name: 'p2', enabled: true }], features: [{ name: 'p2' }] },
    ['here'],
  ],
  [
    'a state of a feature that is nowhere',
    { featureEnvironments: [{ name: 'nowhere-2', enabled: true }] },
    ['nowhere-2'],
  ],
  [
    'a dependency of a feature that is not in the file',
    { dependencies: [{ feature: 'here', dependencies: [] }] },
    ['here'],
  ],
  [
    'legal values that an existing context field lacks',
    { contextFields: [{ name: 'country', legalValues: legal('CH', 'FR', 'DE') }] },
    ['FR', 'DE'],
  ],
  [
    'legal values of an existing context field that takes any',
    { contextFields: [{ name: 'userId', legalValues: legal('7') }] },
    ['userId'],
  ],
  ['an unknown segment', { segments: [{ id: 1, name: 'no-such-segment' }] }, ['no-such-segment']],
  ['a segment of another project', { segments: [{ id: 1, name: 'there' }] }, ['there']],
  [
    'a segment that a strategy names and the file does not describe',
    { features: [{ name: 'p3' }], featureStrategies: [strategy('p3', { segments: [41] })] },
    ['41'],
  ],
  [
    'an unknown parent',
    { features: [{ name: 'p4' }], dependencies: [{ feature: 'p4', dependencies: [{ feature: 'no-such-parent' }] }] },
    ['no-such-parent'],
  ],
  [
    'a dependency on itself',
    { features: [{ name: 'p5' }], dependencies: [{ feature: 'p5', dependencies: [{ feature: 'p5' }] }] },
    ['p5'],
  ],
  [
    'an unknown tag type',
    { features: [{ name: 'p6' }], featureTags: [{ featureName: 'p6', tagType: 'no-such-tag-type', tagValue: 'xx' }] },
    ['no-such-tag-type'],
  ],
  [
    'a constraint with a value that is not legal here',
    { features: [{ name: 'p7' }], featureStrategies: [strategy('p7', { constraints: [constraint('country', 'GR')] })] },
    ['GR'],
  ],
  [
    'a constraint with a value that is not legal in the context field which the file brings along',
    {
      features: [{ name: 'p8' }],
      contextFields: [{ name: 'tier', legalValues: legal('gold') }],
      featureStrategies: [strategy('p8', { constraints: [constraint('tier', 'gold', 'tin')] })],
    },
    ['tin'],
  ],
  [
    'more strategies than a feature has',
    { features: [{ name: 'p9' }], featureStrategies: Array.from({ length: 31 }, () => strategy('p9')) },
    ['p9'],
  ],
];

/** One file that holds all of them. */
const everything = (problems as [string, Record<string, unknown[]>, string[]][])
  .map(([, data]) => data)
  .reduce<Record<string, unknown[]>>((all, data) => {
    for (const [member, list] of Object.entries(data)) all[member] = [...(all[member] ?? []), ...list];
    return all;
  }, {}) as FileData;

describe('A file is refused, and nothing is written, for', () => {
  test('any of these problems, and names every one in one answer', async () => {
    const { status, body } = await refused(everything);
    expect([status, body.name]).toEqual([400, 'ValidationError']);
    const messages: string[] = body.details.map(({ message }: { message: string }) => message);
    for (const { path } of body.details) expect(path).toMatch(/^data\.[a-zA-Z]+/);
    for (const [, , details] of problems) {
      for (const culprit of details) expect(messages).toContainEqual(expect.stringContaining(culprit));
    }
    // "gone" stands in the file twice; a strategy or a state of "here" is reported once each.
    const amount = problems.flatMap(([, , details]) => details).length;
    expect(messages).toHaveLength(amount + 1);
    expect(body.message).toContain(String(messages.length));
  });

  test('features that their default strategy makes too full, each of them, and all else that is wrong', async () => {
    const full = (name: string) => Array.from({ length: 30 }, () => strategy(name, { disabled: true }));
    const names = ['full-1', 'full-2'];
    const { status, body } = await refused({
      features: [...names, 'has space'].map((name) => ({ name })),
      featureStrategies: names.flatMap(full),
      featureEnvironments: names.map((name) => ({ name, enabled: true })),
    });
    expect(status).toBe(400);
    for (const culprit of [...names, 'has space']) {
      expect(body.details).toContainEqual(expect.objectContaining({ message: expect.stringContaining(culprit) }));
    }
  });

  test('a feature that is archived in another project', async () => {
    await imported(service, { features: [{ name: 'gone-there', archived: true }] }, { project: 'other' });
    const { status } = await refused({ features: [{ name: 'gone-there', archived: true }] });
    expect(status).toBe(400);
  });

  test('two states of one feature, which say different things', async () => {
    const { status } = await refused({
      features: [{ name: 'torn' }],
      featureEnvironments: [
        { name: 'torn', enabled: true },
        { name: 'development', featureName: 'torn', enabled: false },
      ],
    });
    expect(status).toBe(400);
  });
});

test('A message that quotes a long text does not tear a character apart', async () => {
  const text = `n${'\u{1f600}'.repeat(60)}`;
  const {
    text: answer,
    status,
    body,
  } = await refused({
    features: [{ name: text }],
    featureStrategies: [strategy(text, { name: text })],
    segments: [{ id: 1, name: text }],
  });
  expect(status).toBe(400);
  for (const { message } of body.details) expect(message.isWellFormed(), message).toBe(true);
  expect(answer).not.toMatch(/\\ud[89a-f]/i);
});

describe('A file with good features and one problem', () => {
  test('leaves every one of its good features unwritten', async () => {
    const good = Array.from({ length: 60 }, (_, index) => ({ name: `good-${index}` }));
    const { status } = await refused({
      features: [...good, { name: 'elsewhere' }],
      tagTypes: [{ name: 'never-made' }],
      contextFields: [{ name: 'never-made' }],
      featureTags: [{ featureName: 'good-0', tagType: 'never-made', tagValue: 'never' }],
    });
    expect(status).toBe(400);
    expect((await service.get('/api/admin/events/good-0')).body).toMatchObject({ totalEvents: 0 });
  });
});

describe('A file that does not have the form of one', () => {
  const valid = { project: 'default', environment: 'development' };
  const empty = { features: [], featureStrategies: [], tagTypes: [] };

  test.each([
    [
      'wrong types in several places',
      {
        ...valid,
        data: {
          ...empty,
          features: [{ name: 'f', stale: 'yes' }, { type: 'release' }, { name: 'g', type: '' }],
          featureEnvironments: [{ name: 'f', enabled: 1 }],
          contextFields: [{ name: 'has space' }],
          tagTypes: [{ name: 't' }],
          segments: [{ id: 1.5, name: 's' }],
          featureTags: [{ featureName: 'f', tagValue: 'v' }, { featureName: 'f' }],
          dependencies: [{ feature: 'f' }],
        },
      },
      [
        'data.features.0.stale',
        'data.features.1.name',
        'data.features.2.type',
        'data.featureEnvironments.0.enabled',
        'data.contextFields.0.name',
        'data.featureTags.0.tagValue',
        'data.featureTags.1',
        'data.segments.0.id',
        'data.tagTypes.0.name',
        'data.dependencies.0.dependencies',
      ],
    ],
    [
      'strategies that add-strategy would refuse',
      {
        ...valid,
        data: {
          ...empty,
          features: [{ name: 'f' }],
          featureStrategies: [
            strategy('f', { constraints: [{ contextName: 'userId', operator: 'IN', values: [] }] }),
            strategy('f', { constraints: [{ contextName: 'userId', operator: 'NUM_EQ', value: 'abc' }] }),
            strategy('f', { sortOrder: 1.5 }),
            strategy('f', { name: 'flexibleRollout', parameters: { rollout: 'lots' } }),
            strategy('f', { variants: [{ name: 'v', weight: 1000, weightType: 'fix', stickiness: 'default' }] }),
            strategy('f', { segments: [1, 2, 3, 4, 5, 6] }),
            { featureName: 'f' },
            { name: 'default' },
          ],
          featureEnvironments: [{ name: 'f', enabled: true, variants: [{ name: 'v', weight: 1001 }] }],
        },
      },
      [
        'data.featureStrategies.0.constraints.0',
        'data.featureStrategies.1.constraints.0',
        'data.featureStrategies.2.sortOrder',
        'data.featureStrategies.3.parameters.rollout',
        'data.featureStrategies.4.variants',
        'data.featureStrategies.5.segments',
        'data.featureStrategies.6.name',
        'data.featureStrategies.7.featureName',
        'data.featureEnvironments.0.variants.0.weight',
      ],
    ],
  ])('is refused with every place that is wrong: %s', async (_what, body, paths) => {
    const answer = await writesNothing(service, () => service.post(importPath, body));
    expect(answer.status).toBe(400);
    const found: string[] = answer.body.details.map(({ path }: { path: string }) => path);
    expect(new Set(found)).toEqual(new Set(paths));
  });
});

describe('A target that does not exist is a 404 that writes nothing', () => {
  test.each<[string, ImportOptions]>([
    ['an unknown project', { project: 'no-such-project' }],
    ['an unknown environment', { environment: 'no-such-environment' }],
    ['an environment with a name longer than any', { environment: 'e'.repeat(3000) }],
    ['an environment that the project does not have', { environment: 'default' }],
    ['an environment that only another project has', { project: 'other', environment: 'production' }],
  ])('%s, whether the file is empty, good or bad', async (_what, options) => {
    for (const data of [{}, { features: [{ name: 'good' }], featureStrategies: [strategy('good')] }, everything]) {
      const { status, body } = await refused(data, options);
      expect([status, body.name]).toEqual([404, 'NotFoundError']);
    }
  });
});

test('A refused file leaves what was there as it was, to be read and changed', async () => {
  const before = await readFeature(service, 'here');
  await refused({ features: [{ name: 'here', stale: true }, { name: 'elsewhere' }] });
  expect(await readFeature(service, 'here')).toEqual(before);
});
