import { type Feature, metadataOf } from '../feature.ts';
import type { FeatureUpdate } from '../feature-schema.ts';
import { buildNewLife, enterStage } from '../lifecycle/lifecycle.ts';

/** Returns the feature after an update; an archived feature keeps its time of archiving, unless the update revives it. */
export function applyFeatureUpdate(feature: Feature, update: FeatureUpdate, at: string): Feature {
  const wasArchived = feature.archivedAt !== null;
  const isArchived = update.archived ?? wasArchived;
  return {
    ...feature,
    description: update.description === undefined ? feature.description : update.description,
    type: update.type ?? feature.type,
    stale: update.stale ?? feature.stale,
    impressionData: update.impressionData ?? feature.impressionData,
    archivedAt: isArchived ? (feature.archivedAt ?? at) : null,
    ...(isArchived && !wasArchived && enterStage(feature, { stage: 'archived', enteredStageAt: at })),
    ...(wasArchived && !isArchived && buildNewLife(at)),
  };
}

/** Tells whether two states of a feature have the same own fields. */
export function hasSameMetadata(a: Feature, b: Feature): boolean {
  return JSON.stringify(metadataOf(a)) === JSON.stringify(metadataOf(b));
}
