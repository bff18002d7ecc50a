import { expect, test } from 'vitest';
import type { NewEvent } from '../../../lib/events/event.ts';
import { buildNewFeature, type Feature } from '../../../lib/features/feature.ts';
import * as events from '../../../lib/features/feature-events.ts';
import type { Completion } from '../../../lib/features/feature-schema.ts';
import type { Strategy } from '../../../lib/features/strategies/strategy-schema.ts';

const at = '2026-01-01T00:00:00.000Z';
const feature = buildNewFeature({
  name: 'checkout',
  project: 'shop',
  createdAt: at,
  createdBy: { id: 7, name: 'alice' },
});
const fields = {
  ...{ name: 'checkout', description: null, type: 'release', project: 'shop', stale: false, createdAt: at },
  ...{ lastSeenAt: null, impressionData: false, archivedAt: null, archived: false },
};
const strategy = (id: string): Strategy => ({
  ...{ id, name: 'default', title: null, disabled: false, featureName: 'checkout', sortOrder: 0 },
  ...{ segments: [], constraints: [], variants: [], parameters: {} },
});
const shownStrategy = (id: string) => {
  const { featureName: _feature, ...shown } = strategy(id);
  return shown;
};
const environment = 'development';
const link = { id: '1', url: 'https://example.com/', title: 'Why' };
const { id: _id, ...shownLink } = link;
const completion: Completion = { status: 'kept', statusValue: 'blue' };
const variants = [{ name: 'blue', weight: 1000 }];
const withVariants = {
  ...feature,
  environments: new Map([[environment, { enabled: false, strategies: [], variants }]]),
};
const withStrategy = {
  ...feature,
  environments: new Map([[environment, { enabled: true, strategies: [strategy('a')], variants: [] }]]),
};
const parts = { tags: [], dependencies: [], links: [] };

/**
 * All events whose content neither import-feature.test.ts nor unleash-payloads.test.ts tests, with their content apart
 * from the feature and its project.
 */
test.each<[() => NewEvent, object]>([
  [
    () => events.featureMigrated(withVariants, undefined),
    {
      type: 'feature-import',
      data: { ...fields, ...parts, environments: { development: { enabled: false, strategies: [], variants } } },
      preData: null,
    },
  ],
  [
    () => events.featureMigrated(feature, withStrategy),
    {
      type: 'feature-import',
      data: { ...fields, ...parts, environments: {} },
      preData: { environments: { development: { enabled: true, strategies: [shownStrategy('a')], variants: [] } } },
    },
  ],
  [
    () => events.featureMoved(feature, 'old'),
    { type: 'feature-project-change', data: { oldProject: 'old', newProject: 'shop' } },
  ],
  [() => events.featureDeleted(feature), { type: 'feature-deleted', preData: fields }],
  [
    () => events.featureStrategyUpdated(feature, environment, strategy('a'), strategy('b')),
    { type: 'feature-strategy-update', environment, data: shownStrategy('b'), preData: shownStrategy('a') },
  ],
  [() => events.featureFavorited(feature, true), { type: 'feature-favorited', data: { feature: 'checkout' } }],
  [() => events.featureFavorited(feature, false), { type: 'feature-unfavorited', data: { feature: 'checkout' } }],
  [
    () => events.featureLinkUpdated(feature, link, { ...link, title: null }),
    { type: 'feature-link-updated', data: { ...shownLink, title: null }, preData: shownLink },
  ],
  [
    () => events.featureCompleted(feature, completion),
    { type: 'feature-completed', data: { ...completion, kept: true } },
  ],
  [
    () => events.featureCompleted(feature, { ...completion, status: 'discarded' }),
    { type: 'feature-completed', data: { status: 'discarded', kept: false } },
  ],
  [() => events.featureUncompleted(feature), { type: 'feature-uncompleted' }],
  [
    () => events.featureDependencyRemoved(feature, 'parent'),
    { type: 'feature-dependency-removed', data: { feature: 'parent' } },
  ],
  [() => events.featureDependenciesRemoved(feature), { type: 'feature-dependencies-removed' }],
])('An event of a feature has the content of Unleash’s event: $1.type', (make, expected) => {
  const made = make();
  expect(made).toMatchObject({ featureName: 'checkout', project: 'shop', ...expected });
  for (const shown of [made.data, made.preData]) {
    expect(shown ?? {}).not.toHaveProperty('featureName');
    if (made.type.startsWith('feature-link')) expect(shown ?? {}).not.toHaveProperty('id');
  }
});

test.each<[Partial<Feature>, string[]]>([
  [{ description: 'New' }, []],
  [{ stale: true }, ['feature-stale-on']],
  [{ archivedAt: at }, ['feature-archived']],
  [{ stale: true, archivedAt: at }, ['feature-stale-on', 'feature-archived']],
])(
  'A change of a feature to %j has one event for all fields, and one each for staleness and archiving',
  (change, types) => {
    const changed = events.featureMetadataUpdated(feature, { ...feature, ...change });
    expect(changed.map(({ type }) => type)).toEqual(['feature-metadata-updated', ...types]);
  },
);
