import { expect, test } from 'vitest';
import type { NewEvent } from '../../../lib/events/event.ts';
import { newFeature } from '../../../lib/features/feature.ts';
import * as events from '../../../lib/features/feature-events.ts';
import type { Completion } from '../../../lib/features/feature-schema.ts';
import type { Strategy } from '../../../lib/features/strategies/strategy-schema.ts';

const at = '2026-01-01T00:00:00.000Z';
const feature = newFeature({ name: 'checkout', project: 'shop', createdAt: at, createdBy: { id: 7, name: 'alice' } });
const fields = {
  ...{ name: 'checkout', description: null, type: 'release', project: 'shop', stale: false, createdAt: at },
  ...{ lastSeenAt: null, impressionData: false, archivedAt: null, archived: false },
};
const stale = { ...feature, stale: true };
const archived = { ...feature, archivedAt: at };
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
const dependency = { feature: 'parent', enabled: true, variants: [] };

/** Each event, with what it says besides the feature and its project. */
test.each<[NewEvent | NewEvent[], object[]]>([
  [events.featureCreated(feature), [{ type: 'feature-created', data: fields }]],
  [
    events.featureCreated(archived),
    [{ type: 'feature-created', data: { ...fields, archivedAt: at, archived: true } }, { type: 'feature-archived' }],
  ],
  [
    events.featureMetadataUpdated(feature, { ...feature, description: 'New' }),
    [{ type: 'feature-metadata-updated', data: { ...fields, description: 'New' }, preData: fields }],
  ],
  [
    events.featureMetadataUpdated(stale, archived),
    [{ type: 'feature-metadata-updated' }, { type: 'feature-stale-off' }, { type: 'feature-archived' }],
  ],
  [
    events.featureMetadataUpdated(archived, stale),
    [{ type: 'feature-metadata-updated' }, { type: 'feature-stale-on' }, { type: 'feature-revived' }],
  ],
  [
    events.featureMoved(feature, 'old'),
    [{ type: 'feature-project-change', data: { oldProject: 'old', newProject: 'shop' } }],
  ],
  [
    events.featureMigrated(withVariants, undefined),
    [
      {
        type: 'feature-import',
        data: { ...fields, ...parts, environments: { development: { enabled: false, strategies: [], variants } } },
        preData: null,
      },
    ],
  ],
  [
    events.featureMigrated(feature, withStrategy),
    [
      {
        type: 'feature-import',
        data: { ...fields, ...parts, environments: {} },
        preData: { environments: { development: { enabled: true, strategies: [shownStrategy('a')], variants: [] } } },
      },
    ],
  ],
  [events.featureDeleted(feature), [{ type: 'feature-deleted', preData: fields }]],
  [
    events.featureTagged(feature, { type: 'simple', value: 'a' }),
    [{ type: 'feature-tagged', data: { type: 'simple', value: 'a' } }],
  ],
  [
    events.featureUntagged(feature, { type: 'simple', value: 'a' }),
    [{ type: 'feature-untagged', preData: { type: 'simple', value: 'a' } }],
  ],
  [
    events.featureStrategyAdded(feature, environment, strategy('a')),
    [{ type: 'feature-strategy-add', environment, data: shownStrategy('a') }],
  ],
  [
    events.featureStrategyUpdated(feature, environment, strategy('a'), strategy('b')),
    [{ type: 'feature-strategy-update', environment, data: shownStrategy('b'), preData: shownStrategy('a') }],
  ],
  [
    events.featureStrategyRemoved(feature, environment, strategy('a')),
    [{ type: 'feature-strategy-remove', environment, preData: shownStrategy('a') }],
  ],
  [
    events.featureStrategiesReordered(feature, environment, [strategy('a'), strategy('b')], [strategy('b')]),
    [
      {
        type: 'strategy-order-changed',
        environment,
        data: { strategyIds: ['b'] },
        preData: { strategyIds: ['a', 'b'] },
      },
    ],
  ],
  [events.featureSwitched(feature, environment, true), [{ type: 'feature-environment-enabled', environment }]],
  [events.featureSwitched(feature, environment, false), [{ type: 'feature-environment-disabled', environment }]],
  [events.featureFavorited(feature, true), [{ type: 'feature-favorited', data: { feature: 'checkout' } }]],
  [events.featureFavorited(feature, false), [{ type: 'feature-unfavorited', data: { feature: 'checkout' } }]],
  [events.featureLinkAdded(feature, link), [{ type: 'feature-link-added', data: shownLink }]],
  [
    events.featureLinkUpdated(feature, link, { ...link, title: null }),
    [{ type: 'feature-link-updated', data: { ...shownLink, title: null }, preData: shownLink }],
  ],
  [events.featureLinkRemoved(feature, link), [{ type: 'feature-link-removed', preData: shownLink }]],
  [events.featureCompleted(feature, completion), [{ type: 'feature-completed', data: { ...completion, kept: true } }]],
  [
    events.featureCompleted(feature, { ...completion, status: 'discarded' }),
    [{ type: 'feature-completed', data: { status: 'discarded', kept: false } }],
  ],
  [events.featureUncompleted(feature), [{ type: 'feature-uncompleted' }]],
  [
    events.featureVariantsUpdated(withVariants, environment, []),
    [
      {
        type: 'feature-environment-variants-updated',
        environment,
        data: { variants },
        preData: { variants: [] },
      },
    ],
  ],
  [
    events.featureVariantsUpdated(feature, environment, variants),
    [{ type: 'feature-environment-variants-updated', data: { variants: [] }, preData: { variants } }],
  ],
  [events.featureDependencyAdded(feature, dependency), [{ type: 'feature-dependency-added', data: dependency }]],
  [
    events.featureDependencyRemoved(feature, 'parent'),
    [{ type: 'feature-dependency-removed', data: { feature: 'parent' } }],
  ],
  [events.featureDependenciesRemoved(feature), [{ type: 'feature-dependencies-removed' }]],
])('An event of a feature says what Unleash’s does: $0.type', (made, expected) => {
  const list = [made].flat();
  expect(list).toMatchObject(expected.map((each) => ({ featureName: 'checkout', project: 'shop', ...each })));
  expect(list).toHaveLength(expected.length);
  for (const event of list)
    for (const shown of [event.data, event.preData]) {
      expect(shown ?? {}).not.toHaveProperty('featureName');
      if (event.type.startsWith('feature-link')) expect(shown ?? {}).not.toHaveProperty('id');
    }
});
