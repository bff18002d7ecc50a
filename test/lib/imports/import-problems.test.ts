import { describe, expect, test, vi } from 'vitest';
import type { ExportData } from '../../../lib/imports/import-data-schema.ts';
import { type ImportFacts, listImportProblems } from '../../../lib/imports/import-problems.ts';
import { featureHead } from '../features/stored-feature.ts';
import { emptyFile } from './empty-file.ts';

const known = {
  project: { id: 'shop', featureNaming: null, featureLimit: null },
  counts: { live: 0, archived: 0 },
  environment: 'development',
  archived: new Set(),
  features: new Map(),
  parents: new Map(),
  strategyTypes: new Map([['default', {}]]),
  contextFields: new Map(),
  hiddenFields: new Set(),
  tagTypes: new Map([['simple', {}]]),
  segments: new Map(),
} satisfies ImportFacts;

/** Lists the problems of a file about the feature `a`, as `path: message`. */
function problemsOf(data: object, references: ImportFacts = known): string[] {
  const file = { ...emptyFile, features: [{ name: 'a' }], ...data };
  return listImportProblems(file as ExportData, references).map(({ path, message }) => `${path}: ${message}`);
}

const strategies = (count: number, fields = {}) => Array(count).fill({ name: 'default', featureName: 'a', ...fields });
const state = (enabled: boolean) => [{ name: 'a', enabled }];

describe('A feature in a file', () => {
  test('has an allowed name and room in its project if it is new', () => {
    const naming = { pattern: 'shop-.+', example: null, description: null };
    const references = {
      ...known,
      counts: { live: 4, archived: 1 },
      project: { id: 'shop', featureNaming: naming, featureLimit: 5 },
    };
    const features = [{ name: 'shop-a' }, { name: 'a' }, { name: 'shop-b', archived: true }];
    expect(problemsOf({ features }, references)).toEqual([
      'data.features.1.name: The name "a" has to match the naming pattern "shop-.+" of the project.',
      'undefined: The project "shop" may have at most 5 features that are not archived.',
    ]);
    vi.stubEnv('PROJECT_FEATURES_LIMIT', '7');
    expect(problemsOf({ features }, { ...references, project: known.project })).toEqual([
      'undefined: A project may have at most 7 features, archived ones included; "shop" would have 8.',
    ]);
    const stored = new Map([['a', featureHead({ name: 'a', project: 'shop' })]]);
    expect(problemsOf({ features }, { ...references, features: stored })).toEqual([]);
  });

  test.each([
    ['off, with 30 strategies', strategies(30, { disabled: true }), false],
    ['on, with 30 strategies of which one is enabled', [...strategies(29, { disabled: true }), ...strategies(1)], true],
    ['on, with 29 disabled ones', strategies(29, { disabled: true }), true],
  ])('may be %s', (_what, featureStrategies, enabled) => {
    expect(problemsOf({ featureStrategies, featureEnvironments: state(enabled) })).toEqual([]);
  });

  test('has at most 30 strategies, with the default one that it may get', () => {
    const problem = 'data.featureStrategies: The feature "a" would have 31 strategies, more than 30.';
    expect(problemsOf({ featureStrategies: strategies(31) })).toEqual([problem]);
    const disabled = strategies(30, { disabled: true });
    expect(problemsOf({ featureStrategies: disabled })).toEqual([]);
    expect(problemsOf({ featureStrategies: disabled, featureEnvironments: state(true) })).toEqual([problem]);
    const environments = new Map([['development', { enabled: true, strategies: [], variants: [] }]]);
    const stored = featureHead({ name: 'a', environments });
    expect(problemsOf({ featureStrategies: disabled }, { ...known, features: new Map([['a', stored]]) })).toEqual([
      problem,
    ]);
  });

  test('has at most 300 tags', () => {
    const tags = (featureName: string, count: number) =>
      Array.from({ length: count }, (_, index) => ({ featureName, tagValue: `tag-${index}` }));
    const features = [{ name: 'a' }, { name: 'b' }];
    expect(problemsOf({ features, featureTags: [...tags('a', 300), ...tags('b', 300)] })).toEqual([]);
    expect(problemsOf({ features, featureTags: [...tags('a', 301), ...tags('b', 1)] })).toEqual([
      'data.featureTags: The feature "a" has more than 300 tags.',
    ]);
  });

  test('has one state', () => {
    expect(problemsOf({ featureEnvironments: [...state(true), ...state(true)] })).toEqual([
      'data.featureEnvironments: The feature "a" has more than one state in the file.',
    ]);
  });
});

describe('A thing in a file', () => {
  test.each([
    ['tagTypes', 'tag type', 'icon'],
    ['contextFields', 'context field', 'description'],
  ])('in %s is described once, or always in the same way', (member, kind, field) => {
    const [one, other] = [{ name: 'x' }, { name: 'x', [field]: 'X' }];
    expect(problemsOf({ [member]: [one, one] })).toEqual([]);
    expect(problemsOf({ [member]: [one, other] })).toEqual([
      `data.${member}: The ${kind} "x" appears in the file more than once, with different contents.`,
    ]);
  });

  test.each([
    ['strategy', 'featureStrategies.0.featureName', { featureStrategies: [{ name: 'default', featureName: 'b' }] }],
    ['state', 'featureEnvironments.0', { featureEnvironments: [{ name: 'b', enabled: true }] }],
    ['tag', 'featureTags.0.featureName', { featureTags: [{ featureName: 'b', tagValue: 'blue' }] }],
    ['dependency', 'dependencies.0.feature', { dependencies: [{ feature: 'b', dependencies: [] }] }],
  ])('belongs as a %s to a feature of the file', (kind, path, data) => {
    expect(problemsOf(data)).toEqual([
      `data.${path}: The ${kind} belongs to the feature "b", which is not in the file.`,
    ]);
  });
});

test('The name of a feature in a file is valid, unique in the file, and not used in another project', () => {
  const features = new Map([
    ['elsewhere', featureHead({ name: 'elsewhere', project: 'default' })],
    ['here', featureHead({ name: 'here' })],
  ]);
  const file = (...names: string[]) => ({ features: names.map((name) => ({ name })) });
  expect(problemsOf(file('a', 'a', 'b c', 'elsewhere', 'here'), { ...known, features })).toEqual([
    'data.features: The feature "a" appears in the file more than once.',
    expect.stringMatching(/^data\.features\.2\.name: "b c" cannot be the name of a feature\. A name has/),
    'data.features.3.name: The feature "elsewhere" exists in another project.',
  ]);
});

test('The type of a strategy in a file exists, its segments are in the file, and its values are legal', () => {
  const inCountry = (...values: string[]) => ({ contextName: 'country', operator: 'IN', values });
  const references = {
    ...known,
    contextFields: new Map([['country', { legalValues: [{ value: 'CH' }] }]]),
    segments: new Map([['s', { id: 9, project: null }]]),
  } as unknown as ImportFacts;
  const data = {
    featureStrategies: [
      { name: 'own', featureName: 'a', segments: [1, 2, 3], constraints: [inCountry('CH', 'DE')] },
      { name: 'default', featureName: 'a', segments: [1], constraints: [inCountry('CH')] },
      ...['tier', 'free'].map((contextName) => ({
        ...{ name: 'default', featureName: 'a', constraints: [{ ...inCountry('x'), contextName }] },
      })),
    ],
    segments: [{ id: 1, name: 's' }],
    contextFields: [{ name: 'tier', legalValues: [{ value: 'gold' }] }, { name: 'free' }],
  };
  expect(problemsOf(data, references)).toEqual([
    'data.featureStrategies.0.name: There is no strategy type "own".',
    'data.featureStrategies.0.segments: The segment 2 is not in the file.',
    'data.featureStrategies.0.segments: The segment 3 is not in the file.',
    'data.featureStrategies.0.constraints.0: "DE" is not a legal value of the context field "country".',
    'data.featureStrategies.2.constraints.0: "x" is not a legal value of the context field "tier".',
  ]);
});

describe('The shared things of a file', () => {
  test('exist: tag types in the file or the store, segments that the project may use', () => {
    const segments = new Map([
      ['open', { project: null }],
      ['own', { project: 'shop' }],
      ['foreign', { project: 'default' }],
    ]);
    const data = {
      featureTags: ['simple', 'team', 'area'].map((tagType) => ({ featureName: 'a', tagType, tagValue: 'x' })),
      tagTypes: [{ name: 'team' }],
      segments: ['open', 'own', 'foreign', 'none'].map((name, index) => ({ id: index + 1, name })),
    };
    expect(problemsOf(data, { ...known, segments } as unknown as ImportFacts)).toEqual([
      'data.featureTags.2: There is no tag type "area".',
      'data.segments.2.name: The segment "foreign" belongs to another project.',
      'data.segments.3.name: There is no segment "none".',
    ]);
  });

  test('add no legal values to an existing context field', () => {
    const contextFields = new Map([
      ['country', { legalValues: [{ value: 'CH' }] }],
      ['free', { legalValues: [] }],
    ]);
    const data = {
      contextFields: [
        { name: 'country', legalValues: [{ value: 'CH' }, { value: 'DE' }] },
        { name: 'tier', legalValues: [{ value: 'gold' }] },
        { name: 'free' },
      ],
    };
    expect(problemsOf(data, { ...known, contextFields } as unknown as ImportFacts)).toEqual([
      'data.contextFields.0.legalValues: The context field "country" exists without the legal value "DE".',
    ]);
  });

  test('include no context field of a hidden project, whose values stay unknown', () => {
    const data = { contextFields: [{ name: 'country' }, { name: 'tier', legalValues: [{ value: 'gold' }] }] };
    expect(problemsOf(data, { ...known, hiddenFields: new Set(['tier']) })).toEqual([
      'data.contextFields.1.name: The context field "tier" exists in another project.',
    ]);
  });
});

describe('The links in a file', () => {
  const links = (feature: string, ...urls: string[]) => ({ feature, links: urls.map((url) => ({ url, title: null })) });
  const many = (count: number) => Array.from({ length: count }, (_, index) => `https://example.com/${index}`);

  test('are addresses of features of the file, at most ten for each', () => {
    const features = [{ name: 'a' }, { name: 'b' }];
    expect(problemsOf({ features, links: [links('a', ...many(10)), links('b', ...many(10))] })).toEqual([]);
    expect(
      problemsOf({
        features,
        links: [
          links('a', ...many(6)),
          links('a', ...many(5)),
          links('c'),
          links('b', 'example.com', 'ftp://example.com'),
        ],
      }),
    ).toEqual([
      'data.links: The feature "a" has more than 10 links.',
      'data.links.2.feature: The link belongs to the feature "c", which is not in the file.',
      expect.stringMatching(/^data\.links\.3\.links\.1\.url: An address of http or https is required/),
    ]);
  });
});
