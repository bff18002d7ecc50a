import { describe, expect, test } from 'vitest';
import { type DependencyFacts, listDependencyProblems } from '../../../lib/imports/dependency-problems.ts';
import { featureHead } from '../features/stored-feature.ts';
import { emptyFile } from './empty-file.ts';

const on = (feature: string, ...parents: (string | { feature: string; variants: string[] })[]) => ({
  feature,
  dependencies: parents.map((parent) => ({
    enabled: true,
    variants: [],
    ...(typeof parent === 'string' ? { feature: parent } : parent),
  })),
});
const dependencies = [{ feature: 'parent', enabled: true, variants: [] }];

/** Lists the problems of a file of the features `a` and `b`, as `path: message`. */
function problemsOf(data: object, known: Partial<DependencyFacts> = {}): string[] {
  const features = new Map();
  const references = { project: { id: 'shop', featureNaming: null, featureLimit: null }, features, ...known };
  return listDependencyProblems(
    { ...emptyFile, features: [{ name: 'a' }, { name: 'b' }], ...data },
    { parents: new Map(), ...references },
  ).map(({ path, message }) => `${path}: ${message}`);
}

const place = 'data.dependencies.0.dependencies.0';

describe('A parent', () => {
  test.each([
    [
      'in another project',
      { project: 'default' },
      'is in another project; a feature can depend on features of its own',
    ],
    ['that is archived', { archivedAt: '2026-01-01T00:00:00.000Z' }, 'is archived.'],
    [
      'that has a parent',
      { dependencies: [{ feature: 'x', enabled: true, variants: [] }] },
      'depends on another feature',
    ],
  ])('%s is refused', (_what, fields, message) => {
    const parents = new Map([['parent', featureHead({ name: 'parent', ...fields })]]);
    expect(problemsOf({ dependencies: [on('a', 'parent')] }, { parents })).toEqual([
      expect.stringMatching(`^${place}: The parent "parent" ${message}`),
    ]);
  });

  test('may be new in the file, but is neither archived nor has a parent itself', () => {
    expect(problemsOf({ dependencies: [on('a', 'b'), on('b')] })).toEqual([]);
    const archived = [{ name: 'a' }, { name: 'b', archived: true }];
    expect(problemsOf({ features: archived, dependencies: [on('a', 'b')] })).toEqual([
      `${place}: The parent "b" is archived.`,
    ]);
    expect(problemsOf({ dependencies: [on('a', 'b'), on('b', 'a')] })).toEqual([
      `${place}: The parent "b" depends on another feature itself, so it cannot be a parent.`,
      'data.dependencies.1.dependencies.0: The parent "a" depends on another feature itself, so it cannot be a parent.',
    ]);
  });

  test('is neither the feature itself nor unknown', () => {
    expect(problemsOf({ dependencies: [on('a', 'a', 'nowhere')] })).toEqual([
      `${place}: The feature "a" cannot depend on itself.`,
      'data.dependencies.0.dependencies.1: There is no feature "nowhere" to depend on.',
    ]);
  });

  test('may be named several times by a feature with the same settings', () => {
    expect(problemsOf({ dependencies: [on('a', { feature: 'b', variants: ['x'] }), on('a', 'b')] })).toEqual([
      'data.dependencies: The feature "a" names its parent "b" more than once, with different settings.',
    ]);
  });

  test('has at most 500 distinct children, with those of the store', () => {
    const parents = new Map([['parent', featureHead({ name: 'parent', childCount: 499 })]]);
    expect(problemsOf({ dependencies: [on('a', 'parent'), on('a', 'parent')] }, { parents })).toEqual([]);
    expect(problemsOf({ dependencies: [on('a', 'parent'), on('b', 'parent')] }, { parents })).toEqual([
      'data.dependencies: The feature "parent" would have 501 children, more than 500.',
    ]);
    const features = new Map([['b', featureHead({ name: 'b', dependencies })]]);
    expect(problemsOf({ dependencies: [on('a', 'parent'), on('b', 'parent')] }, { parents, features })).toEqual([]);
    const children = Array.from({ length: 500 }, (_, index) => ({ name: `child-${index}` }));
    const all = { features: [...children, { name: 'b' }], dependencies: children.map(({ name }) => on(name, 'b')) };
    expect(problemsOf(all)).toEqual([]);
  });
});

describe('A feature with a parent', () => {
  test('has no children, unless they are already stored', () => {
    const parents = new Map([['parent', featureHead({ name: 'parent' })]]);
    const withChildren = (fields = {}) => new Map([['a', featureHead({ name: 'a', childCount: 1, ...fields })]]);
    const file = { dependencies: [on('a', 'parent')] };
    expect(problemsOf(file, { parents, features: withChildren() })).toEqual([
      'data.dependencies.0: The feature "a" has children, so it cannot depend on another feature.',
    ]);
    expect(problemsOf({ dependencies: [on('a')] }, { features: withChildren() })).toEqual([]);
    expect(problemsOf(file, { parents, features: withChildren({ dependencies }) })).toEqual([]);
    expect(problemsOf(file, { parents, features: new Map([['a', featureHead({ name: 'a' })]]) })).toEqual([]);
  });

  test('may keep its stored dependency whatever the state of the parent, but not change it', () => {
    const features = new Map([['a', featureHead({ name: 'a', dependencies })]]);
    const parents = new Map([['parent', featureHead({ name: 'parent', archivedAt: '2026-01-01T00:00:00.000Z' })]]);
    expect(problemsOf({ dependencies: [on('a', 'parent')] }, { features, parents })).toEqual([]);
    const several = [...dependencies, { feature: 'other', enabled: true, variants: [] }];
    const withSeveral = new Map([['a', featureHead({ name: 'a', dependencies: several })]]);
    expect(problemsOf({ dependencies: [on('a', 'parent')] }, { features: withSeveral, parents })).toEqual([]);
    const changed = on('a', { feature: 'parent', variants: ['blue'] });
    expect(problemsOf({ dependencies: [changed] }, { features, parents })).toHaveLength(1);
  });
});
