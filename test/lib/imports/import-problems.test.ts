import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { importProblems, type KnownToImport } from '../../../lib/imports/import-problems.ts';
import type { ExportData } from '../../../lib/schemas/import-data.ts';
import { featureHead } from '../features/stored-feature.ts';
import { emptyFile } from './empty-file.ts';

const known = {
  project: { id: 'shop', featureNaming: null, featureLimit: null },
  counts: { live: 0, archived: 0 },
  environment: 'development',
  features: new Map(),
  parents: new Map(),
  parentVariants: new Map(),
  strategyTypes: new Map([['default', {}]]),
  contextFields: new Map(),
  tagTypes: new Map([['simple', {}]]),
  segments: new Map(),
} satisfies KnownToImport;

/** What is wrong with a file about the feature `a`, as `path: message`. */
function problemsOf(data: object, references: KnownToImport = known): string[] {
  const file = { ...emptyFile, features: [{ name: 'a' }], ...data };
  return importProblems(file as ExportData, references).map(({ path, message }) => `${path}: ${message}`);
}

const strategies = (count: number, fields = {}) => Array(count).fill({ name: 'default', featureName: 'a', ...fields });
const state = (enabled: boolean) => [{ name: 'a', enabled }];

describe('A feature in a file', () => {
  test('that is new has a name which the project allows, and its project has room for it', () => {
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
    onTestFinished(() => void vi.unstubAllEnvs());
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

  test('has at most 30 strategies, the default one included that it gets when it is on without an enabled one', () => {
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

  test('has at most 300 tags, each feature for itself', () => {
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

describe('What a file describes', () => {
  test.each([
    ['tagTypes', 'tag type', 'icon'],
    ['contextFields', 'context field', 'description'],
  ])('in %s stands there once, or in the same words', (member, kind, field) => {
    const [one, other] = [{ name: 'x' }, { name: 'x', [field]: 'X' }];
    expect(problemsOf({ [member]: [one, one] })).toEqual([]);
    expect(problemsOf({ [member]: [one, other] })).toEqual([
      `data.${member}: The ${kind} "x" stands in the file more than once, in different words.`,
    ]);
  });

  test.each([
    ['strategy', 'featureStrategies.0.featureName', { featureStrategies: [{ name: 'default', featureName: 'b' }] }],
    ['state', 'featureEnvironments.0', { featureEnvironments: [{ name: 'b', enabled: true }] }],
    ['tag', 'featureTags.0.featureName', { featureTags: [{ featureName: 'b', tagValue: 'blue' }] }],
    ['dependency', 'dependencies.0.feature', { dependencies: [{ feature: 'b', dependencies: [] }] }],
  ])('as a %s is of one of its features', (kind, path, data) => {
    expect(problemsOf(data)).toEqual([`data.${path}: The ${kind} is of the feature "b", which is not in the file.`]);
  });
});
