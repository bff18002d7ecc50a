import { systemUser } from '../../../lib/events/actor.ts';
import type { Feature } from '../../../lib/features/feature.ts';
import { summaryOf } from '../../../lib/features/items/environment-summary.ts';
import type { FeatureHead, StoredFeature } from '../../../lib/features/items/feature-items.ts';
import { buildNewLife } from '../../../lib/features/lifecycle/lifecycle.ts';

/** Builds a feature that was read at version 7, with the given fields. */
export function storedFeature(fields: Partial<Feature> = {}): StoredFeature {
  return {
    feature: {
      name: 'checkout',
      project: 'shop',
      type: 'release',
      description: null,
      stale: false,
      impressionData: false,
      createdAt: '2026-01-01T00:00:00.000Z',
      createdBy: systemUser,
      archivedAt: null,
      tags: [],
      dependencies: [],
      links: [],
      charts: [],
      ...buildNewLife('2026-01-01T00:00:00.000Z'),
      environments: new Map(),
      children: [],
      ...fields,
    },
    revision: {
      version: 7,
      lastEventId: 1,
      eventCount: 1,
      childCount: 0,
      mark: 0,
      summaries: new Map([...(fields.environments ?? [])].map(([name, state]) => [name, summaryOf(state, 7)])),
      partVersions: new Map(),
    },
    own: {
      name: 'checkout',
      project: 'shop',
      type: 'release',
      stale: false,
      impressionData: false,
      createdAt: '2026-01-01T00:00:00.000Z',
      createdBy: JSON.stringify(systemUser),
      archivedAt: null,
      lifecycle: JSON.stringify(buildNewLife('2026-01-01T00:00:00.000Z').lifecycle),
      mark: 0,
      version: 7,
      lastEventId: 1,
      eventCount: 1,
      dependencies: JSON.stringify(fields.dependencies ?? []),
      environments: '[]',
      parts: '[]',
    },
    environmentItems: new Map(),
  };
}

/** Builds the head of a feature, which its own item describes. */
export function featureHead(fields: Partial<Feature> & { readonly childCount?: number } = {}): FeatureHead {
  const { feature, own, revision } = storedFeature(fields);
  const { name, project, archivedAt } = feature;
  return { name, project, archivedAt, own, revision: { ...revision, childCount: fields.childCount ?? 0 } };
}
