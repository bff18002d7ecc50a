import type { FlagRequest } from '../entity/effects.ts';
import { invalid } from '../errors.ts';
import { assertMayAll, type NeededPermission, type PermittedCaller, requirePermission } from '../identity/caller.ts';
import { loadProject, requireActive } from '../projects/projects.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import { changeFeature } from './change-feature.ts';
import type { FeatureEnvironment } from './environments/feature-environment.ts';
import type { Feature, FeaturePath } from './feature.ts';
import { featureMetadataUpdated } from './feature-events.ts';
import type { FeatureUpdate, FeatureView } from './feature-schema.ts';
import { loadFeature } from './feature-store.ts';
import { toFeatureView } from './feature-views.ts';
import { applyFeatureUpdate, hasSameMetadata } from './items/apply-feature-update.ts';
import type { StoredFeature } from './items/feature-items.ts';
import { dropMissingReferences, loadExistingReferences } from './lifecycle/drop-missing-references.ts';
import { findNextAt } from './plans/plan-summary.ts';
import { requireFeature } from './require-feature.ts';
import { loadCapacity, requireCapacity } from './target-project.ts';

/** An update makes at most three events: for the fields, for staleness, and for archiving. */
const eventsMax = 3;

/**
 * Changes the given fields of a feature, archives or revives it, and returns the complete feature.
 * @throws ApiError 400 for another name; otherwise as `changeMetadata` does.
 */
export function updateFeature(request: FlagRequest, caller: PermittedCaller, path: FeaturePath, update: FeatureUpdate) {
  return changeMetadata(request, caller, path, ({ name }) => {
    if (update.name !== undefined && update.name !== name) {
      throw invalid('The name of a feature cannot be changed.', 'name');
    }
    return update;
  });
}

/**
 * Changes the fields of a feature by an update that may depend on their current values, and returns the complete
 * feature.
 * @throws ApiError 403 for archiving without that permission, or for reviving without the permission to switch the
 * feature on in each environment where it is on; 404 for an unknown project or feature, or for reviving a feature of an
 * archived project; 400 for too many live features; what `buildUpdate` throws; 412 if `If-Match` does not match.
 */
export function changeMetadata(
  request: FlagRequest,
  caller: PermittedCaller,
  { projectId, featureName }: FeaturePath,
  buildUpdate: (feature: Feature) => FeatureUpdate,
): Promise<Versioned<FeatureView>> {
  return changeFeature(request, caller, {
    name: featureName,
    likelyEvents: eventsMax,
    read: async () => {
      const [project, stored] = await Promise.all([loadProject(request, projectId), loadFeature(request, featureName)]);
      const isArchived = stored !== undefined && stored.feature.archivedAt !== null;
      const [counts, existing] = isArchived
        ? await Promise.all([loadCapacity(request, project), loadExistingReferences(request, stored.feature)])
        : [];
      return { project, stored, counts, existing };
    },
    decide: ({ project, stored: loaded, counts, existing }, at) => {
      const stored = requireFeature(loaded, featureName, projectId);
      const before = stored.feature;
      const updated = applyFeatureUpdate(before, buildUpdate(before), at);
      const [wasArchived, isArchived] = [before.archivedAt !== null, updated.archivedAt !== null];
      if (!isArchived) requireActive(project);
      if (wasArchived && !isArchived) {
        assertMayAll(caller, permissionsToRevive(before));
        requireCapacity(project, counts, 1);
      }
      if (isArchived && !wasArchived) requirePermission(caller, ['DELETE_FEATURE'], projectId);
      const { after, events: dropped } =
        isArchived || existing === undefined
          ? { after: updated, events: [] }
          : dropMissingReferences(updated, existing, at);
      const events = hasSameMetadata(before, after) ? [] : [...featureMetadataUpdated(before, after), ...dropped];
      return { stored, after, events, value: toFeatureView(withNextTimes(stored, after, at), project) };
    },
  });
}

/** Returns a feature after a change with the times for which its plans wait then: while it is archived, they stand still. */
function withNextTimes({ feature: before, revision }: StoredFeature, after: Feature, at: string): Feature {
  const environments = [...after.environments].map(([name, { nextAt: _nextAt, ...state }]) => {
    const { plan, enabled } = state;
    if (plan === undefined) return [name, state] as const;
    const past = { plan: before.environments.get(name)?.plan, summary: revision.summaries.get(name)?.plan };
    const nextAt = findNextAt(plan, past, enabled && after.archivedAt === null, at);
    return [name, nextAt === undefined ? state : { ...state, nextAt }] as const;
  });
  return { ...after, environments: new Map<string, FeatureEnvironment>(environments) };
}

/** Lists the permissions to revive a feature by an update: SDKs get it again in every environment where it was on. */
function permissionsToRevive({ project, environments }: Feature): NeededPermission[] {
  return [...environments].flatMap(([environment, { enabled }]) =>
    enabled ? [{ permission: 'UPDATE_FEATURE_ENVIRONMENT', project, environment }] : [],
  );
}
