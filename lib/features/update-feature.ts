import { invalid } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import { loadProject } from '../projects/projects.ts';
import type { FeatureView } from '../schemas/feature.ts';
import type { Table } from '../table/table.ts';
import type { Versioned } from '../table/versioned.ts';
import { changeFeature } from './change-feature.ts';
import { type Feature, featureView, metadataOf } from './feature.ts';
import { featureMetadataUpdated } from './feature-events.ts';
import { loadFeature } from './feature-store.ts';
import { requireFeature } from './require-feature.ts';

/** What an update may change; what is left out stays as it is. */
export interface FeatureUpdate {
  readonly name?: string;
  readonly description?: string | null;
  readonly type?: string;
  readonly stale?: boolean;
  readonly archived?: boolean;
  readonly impressionData?: boolean;
}

/** An update makes at most three events: of the fields, of staleness, of the archive. */
export const updateEventsMax = 3;

/**
 * Changes the given fields of a feature, archives or revives it, and answers the complete feature.
 * @throws ApiError 404 for an unknown project or feature; 400 for another name; 412 by `If-Match`.
 */
export function updateFeature(
  table: Table,
  actor: Actor,
  { projectId, featureName }: { projectId: string; featureName: string },
  update: FeatureUpdate,
): Promise<Versioned<FeatureView>> {
  return changeFeature(table, actor, featureName, {
    likelyEvents: updateEventsMax,
    read: async () => {
      const [project, stored] = await Promise.all([loadProject(table, projectId), loadFeature(table, featureName)]);
      return { project, stored };
    },
    decide: ({ project, stored: found }, at) => {
      const stored = requireFeature(found, featureName, projectId);
      if (update.name !== undefined && update.name !== featureName) {
        throw invalid('The name of a feature cannot be changed.', 'name');
      }
      const { after, events } = metadataChange(stored.feature, update, at);
      return { stored, after, events, value: featureView(after, project) };
    },
  });
}

/** What an update makes of a feature, and the events that say so; none where it is that already. */
export function metadataChange(feature: Feature, update: FeatureUpdate, at: string) {
  const after = updatedFeature(feature, update, at);
  return { after, events: hasSameMetadata(feature, after) ? [] : featureMetadataUpdated(feature, after) };
}

/** The feature after an update; what was archived stays so since the same time, unless it is revived. */
export function updatedFeature(feature: Feature, update: FeatureUpdate, at: string): Feature {
  const wasArchived = feature.archivedAt !== null;
  const isArchived = update.archived ?? wasArchived;
  return {
    ...feature,
    description: update.description === undefined ? feature.description : update.description,
    type: update.type ?? feature.type,
    stale: update.stale ?? feature.stale,
    impressionData: update.impressionData ?? feature.impressionData,
    archivedAt: isArchived ? (feature.archivedAt ?? at) : null,
    lifecycle:
      isArchived === wasArchived
        ? feature.lifecycle
        : { stage: isArchived ? 'archived' : 'initial', enteredStageAt: at },
  };
}

/** Whether two states of a feature agree in its own fields. */
export function hasSameMetadata(a: Feature, b: Feature): boolean {
  return JSON.stringify(metadataOf(a)) === JSON.stringify(metadataOf(b));
}
