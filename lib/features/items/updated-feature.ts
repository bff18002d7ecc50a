import { type Feature, metadataOf } from '../feature.ts';
import { entered, newLife } from '../lifecycle/lifecycle.ts';

/** Update of a feature; fields that are left out keep their values. */
export interface FeatureUpdate {
  readonly name?: string;
  readonly description?: string | null;
  readonly type?: string;
  readonly stale?: boolean;
  readonly archived?: boolean;
  readonly impressionData?: boolean;
}

/** Returns the feature after an update; an archived one keeps the time of archiving, unless it is revived. */
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
    ...(isArchived && !wasArchived && entered(feature, { stage: 'archived', enteredStageAt: at })),
    ...(wasArchived && !isArchived && newLife(at)),
  };
}

/** Tells whether two states of a feature have the same own fields. */
export function hasSameMetadata(a: Feature, b: Feature): boolean {
  return JSON.stringify(metadataOf(a)) === JSON.stringify(metadataOf(b));
}
