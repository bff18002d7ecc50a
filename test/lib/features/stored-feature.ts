import type { Feature } from '../../../lib/features/feature.ts';
import type { StoredFeature } from '../../../lib/features/feature-items.ts';

/** A feature that was read at version 7, but for what a test has to say. */
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
      archivedAt: null,
      tags: [],
      dependencies: [],
      lifecycle: { stage: 'initial', enteredStageAt: '2026-01-01T00:00:00.000Z' },
      environments: new Map(),
      children: [],
      ...fields,
    },
    revision: { version: 7, lastEventId: 1, eventCount: 1, environmentVersions: new Map() },
  };
}
