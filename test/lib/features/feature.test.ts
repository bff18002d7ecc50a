import { describe, expect, test } from 'vitest';
import {
  buildNewFeature,
  environmentOfFeature,
  metadataOf,
  withFeatureEnvironment,
} from '../../../lib/features/feature.ts';
import { toFeatureEnvironmentView, toFeatureView, toListView } from '../../../lib/features/feature-views.ts';
import { strategyViewOf } from '../../../lib/features/strategies/strategy.ts';
import type { Strategy } from '../../../lib/features/strategies/strategy-schema.ts';
import { newProject } from '../../../lib/projects/projects.ts';

const [at, later] = ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z'];
const alice = { id: 7, name: 'alice', email: 'alice@example.com' };
const creation = { name: 'checkout', project: 'shop', createdAt: at, createdBy: alice };
const feature = buildNewFeature(creation);
const strategy = (id: string, sortOrder: number, disabled = false): Strategy => ({
  ...{ id, name: 'default', title: null, disabled, featureName: 'checkout', sortOrder },
  ...{ segments: [], constraints: [], variants: [], parameters: {} },
});
const variants = ['blue', 'green'].map((name) => ({ name, weight: 500 }));
const environment = (name: string, sortOrder: number) => ({ ...{ name, type: 'production', sortOrder } });
const project = {
  ...{ ...newProject, id: 'shop', name: 'Shop', createdAt: at },
  environments: [environment('development', 1), environment('production', 2)],
};
const on = withFeatureEnvironment(feature, 'production', {
  enabled: true,
  strategies: [strategy('b', 2), strategy('a', 1, true)],
  variants,
});

describe('A new feature', () => {
  const life = {
    lifecycle: { stage: 'initial', enteredStageAt: at },
    stages: [{ stage: 'initial', enteredStageAt: at }],
  };

  test('is empty and off except for the given fields, and stores the id and the name of its creator', () => {
    expect(feature).toEqual({
      ...{ name: 'checkout', project: 'shop', type: 'release', description: null, stale: false, createdAt: at },
      ...{ impressionData: false, archivedAt: null, tags: [], dependencies: [], links: [], charts: [], children: [] },
      ...life,
      environments: new Map(),
      createdBy: { id: 7, name: 'alice' },
    });
    expect(buildNewFeature({ ...creation, type: 'experiment', children: ['a'] })).toEqual({
      ...feature,
      type: 'experiment',
      children: ['a'],
    });
  });
});

test('The view of a feature in an environment has its strategies in their order, and its use', () => {
  const view = {
    ...{ name: 'production', featureName: 'checkout', environment: 'production', type: 'production' },
    ...{ enabled: true, sortOrder: 2, variantCount: 2, variants, lastSeenAt: null, yes: 0, no: 0 },
    strategies: [strategy('a', 1, true), strategy('b', 2)].map(strategyViewOf),
    ...{ hasStrategies: true, hasEnabledStrategies: true, releasePlans: [], safeguards: [] },
  };
  const place = environment('production', 2);
  expect(toFeatureEnvironmentView(on, place)).toEqual(view);
  const use = {
    lastSeen: new Map([['production', later]]),
    evaluations: new Map([['production', { yes: 3, no: 4 }]]),
  };
  expect(toFeatureEnvironmentView(on, place, use)).toEqual({ ...view, lastSeenAt: later, yes: 3, no: 4 });
  const disabled = withFeatureEnvironment(on, 'production', {
    ...environmentOfFeature(on, 'production'),
    strategies: [strategy('a', 1, true)],
  });
  expect(toFeatureEnvironmentView(disabled, place)).toMatchObject({ hasStrategies: true, hasEnabledStrategies: false });
  expect(toFeatureEnvironmentView(feature, place)).toMatchObject({ hasStrategies: false, hasEnabledStrategies: false });
});

describe('The view of a feature', () => {
  const createdBy = { id: 7, name: 'alice', imageUrl: '' };

  test('in lists has its own fields, its tags and its current stage', () => {
    const tags = [{ type: 'simple', value: 'a' }];
    expect(toListView({ ...feature, tags })).toEqual({
      ...metadataOf(feature),
      ...{ createdBy, favorite: false, tags, lifecycle: feature.lifecycle },
    });
    const lastSeen = new Map([
      ['development', later],
      ['production', at],
    ]);
    expect(toListView(feature, lastSeen).lastSeenAt).toBe(later);
  });

  test('has the environments of its project, and is enabled if it is on in any of them', () => {
    const whole = {
      ...on,
      ...{ children: ['child'], dependencies: [{ feature: 'parent', enabled: true, variants: [] }] },
      links: [{ id: '1', url: 'https://example.com/', title: null }],
    };
    expect(toFeatureView(whole, project)).toEqual({
      ...toListView(whole),
      enabled: true,
      environments: project.environments.map((each) => toFeatureEnvironmentView(whole, each)),
      ...{ variants, strategies: [], children: ['child'], dependencies: whole.dependencies },
      collaborators: { users: [createdBy] },
      links: [{ id: '1', url: 'https://example.com/', title: null, feature: 'checkout' }],
    });
    expect(toFeatureView(feature, project).enabled).toBe(false);
    expect(toFeatureView(on, { ...project, environments: [environment('development', 1)] }).enabled).toBe(false);
    const use = { lastSeen: new Map([['production', later]]), evaluations: new Map() };
    expect(toFeatureView(on, project, use)).toMatchObject({
      lastSeenAt: later,
      environments: [{}, { lastSeenAt: later }],
    });
  });
});
