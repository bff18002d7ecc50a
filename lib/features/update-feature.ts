import type { FlagRequest } from '../entity/step.ts';
import { invalid } from '../errors.ts';
import { assertMayAll, type NeededPermission, type PermittedCaller, requirePermission } from '../identity/caller.ts';
import { loadProject, requireActive } from '../projects/projects.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import { changeFeature } from './change-feature.ts';
import { type Feature, featureView } from './feature.ts';
import { featureMetadataUpdated } from './feature-events.ts';
import type { FeatureUpdate, FeatureView } from './feature-schema.ts';
import { loadFeature } from './feature-store.ts';
import { applyFeatureUpdate, hasSameMetadata } from './items/apply-feature-update.ts';
import { dropMissing, loadPresent } from './lifecycle/drop-missing.ts';
import { requireFeature } from './require-feature.ts';
import { loadRoom, requireRoom } from './target-project.ts';

/** An update makes at most three events: of the fields, of staleness, of the archive. */
const eventsMax = 3;

/**
 * Changes the given fields of a feature, archives or revives it, and returns the complete feature.
 * @throws ApiError 403 to archive it without the permission; 404 for an unknown project or feature; 400 for another
 * name; 412 by `If-Match`.
 */
export function updateFeature(
  request: FlagRequest,
  caller: PermittedCaller,
  place: MetadataPlace,
  update: FeatureUpdate,
) {
  return changeMetadata(request, caller, place, ({ name }) => {
    if (update.name !== undefined && update.name !== name) {
      throw invalid('The name of a feature cannot be changed.', 'name');
    }
    return update;
  });
}

export interface MetadataPlace {
  readonly projectId: string;
  readonly featureName: string;
}

/**
 * Changes the fields of a feature by an update that may depend on their current values, and returns the complete
 * feature.
 * @throws ApiError 403 to archive it without the permission, and to revive it without that to switch it on where it is on;
 * 404 for an unknown project or feature, and to revive one of an archived project; 400 for one live feature too many; what `updateOf` throws; 412 by `If-Match`.
 */
export function changeMetadata(
  request: FlagRequest,
  caller: PermittedCaller,
  { projectId, featureName }: MetadataPlace,
  updateOf: (feature: Feature) => FeatureUpdate,
): Promise<Versioned<FeatureView>> {
  return changeFeature(request, caller, {
    name: featureName,
    likelyEvents: eventsMax,
    read: async () => {
      const [project, stored] = await Promise.all([loadProject(request, projectId), loadFeature(request, featureName)]);
      const isArchived = stored !== undefined && stored.feature.archivedAt !== null;
      const [room, present] = isArchived
        ? await Promise.all([loadRoom(request, project), loadPresent(request, stored.feature)])
        : [];
      return { project, stored, room, present };
    },
    decide: ({ project, stored: found, room, present }, at) => {
      const stored = requireFeature(found, featureName, projectId);
      const before = stored.feature;
      const updated = applyFeatureUpdate(before, updateOf(before), at);
      const [wasArchived, isArchived] = [before.archivedAt !== null, updated.archivedAt !== null];
      if (!isArchived) requireActive(project);
      if (wasArchived && !isArchived) {
        assertMayAll(caller, neededToRevive(before));
        requireRoom(project, room, 1);
      }
      if (isArchived && !wasArchived) requirePermission(caller, ['DELETE_FEATURE'], projectId);
      const { after, events: dropped } =
        isArchived || present === undefined ? { after: updated, events: [] } : dropMissing(updated, present);
      const events = hasSameMetadata(before, after) ? [] : [...featureMetadataUpdated(before, after), ...dropped];
      return { stored, after, events, value: featureView(after, project) };
    },
  });
}

/** An update revives a feature as it was, but for what is gone: SDKs get it again wherever it is on. */
function neededToRevive({ project, environments }: Feature): NeededPermission[] {
  return [...environments].flatMap(([environment, { enabled }]) =>
    enabled ? [{ permission: 'UPDATE_FEATURE_ENVIRONMENT', project, environment }] : [],
  );
}
