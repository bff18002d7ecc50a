import { describe, expect, test } from 'vitest';
import { permitForOwnData } from '../../../lib/events/actor.ts';
import { buildNewFeature, environmentOfFeature, type Feature } from '../../../lib/features/feature.ts';
import type { StrategyInput } from '../../../lib/features/strategies/strategy-input-schema.ts';
import type { ExportData } from '../../../lib/imports/import-data-schema.ts';
import { importFeature } from '../../../lib/imports/import-feature.ts';
import { groupWantedFeatures } from '../../../lib/imports/wanted-feature.ts';
import { newProject } from '../../../lib/projects/projects.ts';
import { storedFeature } from '../features/stored-feature.ts';
import { emptyFile } from './empty-file.ts';

const [before, at] = ['2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z'];
const actor = permitForOwnData({ id: 7, name: 'alice' });
const place = { project: 'shop', environment: 'development', actor, at };

/** Returns the first feature of a file, `checkout` unless the file has another name. */
function wanted(data: Partial<ExportData>, defaultStrategy?: StrategyInput) {
  const project = { ...newProject, id: 'shop', name: 'Shop', createdAt: before, environments: [] };
  const segmentIds = new Map([[1, 11]]);
  const [first] = groupWantedFeatures(
    { ...emptyFile, features: [{ name: 'checkout' }], ...data },
    { project, defaultStrategy, segmentIds },
  );
  if (first === undefined) throw new Error('The file names no feature.');
  return first;
}

/** Imports a feature, and returns it with its events, without the properties that all events have. */
function imported(data: Partial<ExportData>, stored?: Partial<Feature>, defaultStrategy?: StrategyInput) {
  const change = importFeature(stored && storedFeature(stored), wanted(data, defaultStrategy), place);
  if (change === undefined) return undefined;
  for (const event of change.events) expect(event).toMatchObject({ featureName: 'checkout', project: 'shop' });
  const events = change.events.map(({ featureName: _feature, project: _project, ...event }) => event);
  return { feature: change.after, state: environmentOfFeature(change.after, 'development'), events };
}

const types = (result: ReturnType<typeof imported>) => result?.events.map(({ type }) => type);

const strategy = (title: string, more: object = {}) => ({ name: 'default', featureName: 'checkout', title, ...more });
const stored = (id: string, sortOrder: number, disabled = false) => ({
  id,
  ...{ name: 'default', title: id, disabled, featureName: 'checkout', sortOrder },
  ...{ segments: [], constraints: [], variants: [], parameters: {} },
});
const inDevelopment = (state: object) =>
  new Map([['development', { enabled: false, strategies: [], variants: [], ...state }]]);
const tag = (value: string, type = 'simple') => ({ type, value });
const dependency = (feature: string, variants: string[] = []) => ({ feature, enabled: true, variants });

describe('A feature that is new', () => {
  test('has the properties of the file, and the defaults of a new feature', () => {
    const fields = { type: 'permission', description: 'What for', stale: true, impressionData: true } as const;
    const creation = { name: 'checkout', project: 'shop', createdAt: at, createdBy: actor };
    expect(imported({})?.feature).toEqual(buildNewFeature(creation));
    const result = imported({ features: [{ name: 'checkout', ...fields }] });
    expect(result?.feature).toEqual(buildNewFeature({ ...creation, ...fields }));
    expect(result?.events).toEqual([
      { type: 'feature-created', data: expect.objectContaining({ name: 'checkout', createdAt: at, ...fields }) },
    ]);
  });

  test('is archived now if the file says so', () => {
    const result = imported({ features: [{ name: 'checkout', archived: true }] });
    expect(result?.feature).toMatchObject({ archivedAt: at, lifecycle: { stage: 'archived' } });
    expect(types(result)).toEqual(['feature-created', 'feature-archived']);
    const live = imported({ features: [{ name: 'checkout', archived: false }] });
    expect(live?.feature).toMatchObject({ archivedAt: null, lifecycle: { stage: 'initial' } });
  });

  test('gets everything else in the order of Unleash’s events', () => {
    const variants = [{ name: 'blue', weight: 1000 }];
    const result = imported({
      featureStrategies: [strategy('a')],
      featureEnvironments: [{ name: 'checkout', enabled: true, variants }],
      featureTags: [{ featureName: 'checkout', tagValue: 'one' }],
      dependencies: [{ feature: 'checkout', dependencies: [dependency('parent')] }],
      links: [{ feature: 'checkout', links: [{ url: 'example.com', title: 'Why' }] }],
    });
    const [added] = result?.state.strategies ?? [];
    const { featureName: _feature, ...shown } = added ?? {};
    const link = { url: 'https://example.com', title: 'Why' };
    expect(result?.events.slice(1)).toEqual([
      {
        type: 'feature-environment-variants-updated',
        environment: 'development',
        data: { variants },
        preData: { variants: [] },
      },
      { type: 'feature-tagged', data: tag('one') },
      { type: 'feature-strategy-add', environment: 'development', data: shown },
      { type: 'feature-environment-enabled', environment: 'development' },
      { type: 'feature-dependency-added', data: dependency('parent') },
      { type: 'feature-link-added', data: link },
    ]);
    expect(result?.feature).toMatchObject({
      tags: [tag('one')],
      dependencies: [dependency('parent')],
      links: [{ id: expect.stringMatching(/^[0-9a-f-]{36}$/), ...link }],
    });
    expect(result?.state).toMatchObject({ enabled: true, variants });
  });
});

describe('The fields of an existing feature', () => {
  test('become those of the file, with one event for all and further events for single changes', () => {
    const fields = { type: 'experiment', description: null, stale: true, impressionData: true } as const;
    const result = imported({ features: [{ name: 'checkout', ...fields, archived: true }] }, { description: 'Old' });
    expect(result?.feature).toMatchObject({ ...fields, archivedAt: at, lifecycle: { stage: 'archived' } });
    expect(result?.events).toEqual([
      {
        type: 'feature-metadata-updated',
        data: expect.objectContaining({ ...fields, archived: true }),
        preData: expect.objectContaining({ type: 'release', description: 'Old', stale: false, archived: false }),
      },
      { type: 'feature-stale-on' },
      { type: 'feature-archived' },
    ]);
  });
});

describe('The strategies of a feature in the environment', () => {
  test('are those of the file: unchanged ones keep their ids, and others are added, removed and moved', () => {
    const environments = inDevelopment({ strategies: [stored('a', 0), stored('b', 1)] });
    const result = imported({ featureStrategies: [strategy('b'), strategy('c')] }, { environments });
    expect(result?.state.strategies).toMatchObject([
      { id: 'b', title: 'b', sortOrder: 0 },
      { title: 'c', sortOrder: 1 },
    ]);
    const c = result?.state.strategies[1]?.id;
    expect(result?.events).toMatchObject([
      { type: 'feature-strategy-remove', environment: 'development', preData: { id: 'a' } },
      { type: 'feature-strategy-add', environment: 'development', data: { id: c } },
      {
        type: 'strategy-order-changed',
        environment: 'development',
        data: { strategyIds: ['b', c] },
        preData: { strategyIds: ['a', 'b'] },
      },
    ]);
    expect(types(imported({}, { environments }))).toEqual(['feature-strategy-remove', 'feature-strategy-remove']);
    const swapped = [strategy('a', { sortOrder: 1 }), strategy('b', { sortOrder: 0 })];
    expect(types(imported({ featureStrategies: swapped }, { environments }))).toEqual(['strategy-order-changed']);
    const replaced = { featureStrategies: [strategy('a'), strategy('c')] };
    expect(types(imported(replaced, { environments }))).toEqual(['feature-strategy-remove', 'feature-strategy-add']);
    const same = { featureStrategies: [strategy('a'), strategy('b')] };
    expect(imported(same, { environments })).toBeUndefined();
  });

  test('refer to segments by their ids here', () => {
    const result = imported({ featureStrategies: [strategy('a', { segments: [1, 2] }), strategy('b')] });
    expect(result?.state.strategies.map(({ segments }) => segments)).toEqual([[11, 2], []]);
  });

  test('include the default one at the end if the feature is on without an enabled strategy', () => {
    const data = {
      featureStrategies: [strategy('off', { disabled: true, sortOrder: 4 })],
      featureEnvironments: [{ name: 'checkout', enabled: true }],
    };
    const rollout = { name: 'flexibleRollout', disabled: false, sortOrder: 5, parameters: { groupId: 'checkout' } };
    expect(imported(data)?.state.strategies[1]).toMatchObject(rollout);
    const chosen = { name: 'default', title: 'Chosen', disabled: true };
    expect(imported(data, undefined, chosen)?.state.strategies[1]).toMatchObject({ ...chosen, disabled: false });
    const states: [Partial<ExportData>, object, number][] = [
      [data, { enabled: false }, 2],
      [{ ...data, featureEnvironments: [] }, { enabled: true }, 2],
      [{ ...data, featureEnvironments: [] }, { enabled: false }, 1],
      [{ ...data, featureEnvironments: [{ name: 'checkout', enabled: false }] }, { enabled: true }, 1],
      [{ ...data, featureStrategies: [...data.featureStrategies, strategy('on')] }, { enabled: false }, 2],
    ];
    for (const [file, state, count] of states) {
      expect(imported(file, { environments: inDevelopment(state) })?.state.strategies).toHaveLength(count);
    }
  });
});

describe('The state of a feature in the environment', () => {
  test('changes only if the file says so', () => {
    const production = { enabled: true, strategies: [], variants: [] };
    const environments = new Map([...inDevelopment({ enabled: true, strategies: [stored('a', 0)] })]);
    environments.set('production', production);
    const featureStrategies = [strategy('a')];
    const off = imported(
      { featureStrategies, featureEnvironments: [{ name: 'checkout', enabled: false }] },
      { environments },
    );
    expect(off?.events).toEqual([{ type: 'feature-environment-disabled', environment: 'development' }]);
    expect(off?.state).toEqual({ enabled: false, strategies: [stored('a', 0)], variants: [] });
    expect(off?.feature.environments.get('production')).toEqual(production);
    const on = { featureStrategies, featureEnvironments: [{ name: 'checkout', enabled: true }] };
    expect(imported(on, { environments })).toBeUndefined();
    // Newer exports have `featureName`, and their `name` may be that of an environment.
    const named = [{ featureName: 'checkout', name: 'production', enabled: false }];
    expect(types(imported({ featureStrategies, featureEnvironments: named }, { environments }))).toEqual(types(off));
  });

  test('keeps its variants if the file has none or the same', () => {
    const variants = [{ name: 'blue', weight: 1000 }];
    const environments = inDevelopment({ variants });
    const state = { name: 'checkout', enabled: false };
    expect(imported({ featureEnvironments: [state] }, { environments })).toBeUndefined();
    expect(imported({ featureEnvironments: [{ ...state, variants }] }, { environments })).toBeUndefined();
    expect(imported({ featureEnvironments: [{ ...state, variants: [] }] }, { environments })?.events).toMatchObject([
      { type: 'feature-environment-variants-updated', data: { variants: [] }, preData: { variants } },
    ]);
  });
});

test('The tags of a feature are those of the file, each once: others are removed first, and unchanged ones keep their order', () => {
  const result = imported(
    {
      featureTags: [
        { featureName: 'checkout', tagType: 'area', tagValue: 'one', type: 'other', value: 'other' },
        { featureName: 'checkout', type: 'simple', value: 'two' },
        { featureName: 'checkout', tagValue: 'two' },
      ],
    },
    { tags: [tag('one'), tag('two'), tag('three')] },
  );
  expect(result?.feature.tags).toEqual([tag('two'), tag('one', 'area')]);
  expect(result?.events).toEqual([
    { type: 'feature-untagged', preData: tag('one') },
    { type: 'feature-untagged', preData: tag('three') },
    { type: 'feature-tagged', data: tag('one', 'area') },
  ]);
});

test('The dependencies of the file are added, or replace those on the same parent; dependencies on other parents stay', () => {
  const dependencies = [dependency('one'), dependency('two')];
  const file = (...list: ReturnType<typeof dependency>[]) => ({
    dependencies: [{ feature: 'checkout', dependencies: list }],
  });
  expect(imported({}, { dependencies })).toBeUndefined();
  expect(imported(file(dependency('two')), { dependencies })).toBeUndefined();
  expect(imported(file(...dependencies.toReversed()), { dependencies })).toBeUndefined();
  const result = imported(file(dependency('one', ['a']), dependency('three'), dependency('one', ['b'])), {
    dependencies,
  });
  expect(result?.feature.dependencies).toEqual([dependency('two'), dependency('one', ['b']), dependency('three')]);
  expect(result?.events).toEqual([
    { type: 'feature-dependency-added', data: dependency('one', ['b']), preData: { dependencies } },
    {
      ...{ type: 'feature-dependency-added', data: dependency('three') },
      preData: { dependencies: [dependency('two'), dependency('one', ['b'])] },
    },
  ]);
});

describe('The links of a feature', () => {
  const link = (id: string, url: string, title: string | null = null) => ({ id, url, title });
  const why = 'https://example.com/why';
  const links = [link('1', why), link('2', why), link('3', why, 'Why')];
  const file = (...list: { url: string; title: string | null }[]) => ({
    links: [{ feature: 'checkout', links: list }],
  });

  test('are those of the file in its order: unchanged ones keep their ids, also repeated ones', () => {
    const result = imported(file({ url: why, title: 'Why' }, { url: why, title: null }, { url: why, title: 'New' }), {
      links,
    });
    expect(result?.feature.links).toEqual([
      link('3', why, 'Why'),
      link('1', why),
      link(expect.stringMatching(/^[0-9a-f-]{36}$/), why, 'New'),
    ]);
    expect(result?.events).toEqual([
      { type: 'feature-link-removed', preData: { url: why, title: null } },
      { type: 'feature-link-added', data: { url: why, title: 'New' } },
    ]);
    const other = 'https://example.com/other';
    const elsewhere = imported(file({ url: other, title: 'Why' }), { links: [link('3', why, 'Why')] });
    expect(elsewhere?.feature.links).toEqual([link(expect.not.stringMatching(/^3$/), other, 'Why')]);
  });
});
