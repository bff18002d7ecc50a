import type { FlagRequest } from '../../entity/effects.ts';
import type { Actor } from '../../events/actor.ts';
import type { NewEvent } from '../../events/event.ts';
import type { Caller } from '../../identity/caller.ts';
import { loadProject, requireActive } from '../../projects/projects.ts';
import type { Versioned } from '../../store/transactions/versioned.ts';
import { changeFeature } from '../change-feature.ts';
import { changeFeatures, toFeatureUnit } from '../change-features.ts';
import { decideSwitchOff } from '../environments/switch-feature.ts';
import type { Feature } from '../feature.ts';
import { featureRevived } from '../feature-events.ts';
import { loadFeature, loadRest } from '../feature-store.ts';
import { applyFeatureUpdate } from '../items/apply-feature-update.ts';
import type { FeatureHead } from '../items/feature-items.ts';
import { requireArchived, requireHead, requirePermitted } from '../require-feature.ts';
import { loadCapacity, requireCapacity } from '../target-project.ts';
import { dropMissingReferences, type ExistingReferences, loadExistingReferences } from './drop-missing-references.ts';

/**
 * Revives an archived feature. It is off in all environments, and loses references to things that were deleted.
 * @throws ApiError 403 for a caller who may not update it, whether it exists or not; 404 for a feature that is unknown,
 * not archived, or in an archived project; 400 for too many live features; 412 if `If-Match` does not match.
 */
export function reviveFeature(request: FlagRequest, caller: Caller, featureName: string): Promise<Versioned<void>> {
  return changeFeature(request, ({ by }) => by, {
    name: featureName,
    likelyEvents: 2,
    read: async () => {
      const loaded = await loadFeature(request, featureName);
      // The permission is checked first, because the error of `loadProject` would show the project's id.
      const { stored, by } = requirePermitted(loaded, featureName, caller, 'UPDATE_FEATURE');
      const [project, existing] = await Promise.all([
        loadProject(request, stored.feature.project),
        loadExistingReferences(request, stored.feature),
      ]);
      return { stored, by, project, existing, counts: await loadCapacity(request, project) };
    },
    decide: ({ stored: permitted, project, existing, counts }, at) => {
      const stored = requireArchived(permitted);
      requireActive(project);
      requireCapacity(project, counts, 1);
      return { stored, ...decideRevival(stored.feature, existing, at), value: undefined };
    },
  });
}

/**
 * Revives features, each as `reviveFeature` does. Live features do not change.
 * @throws ApiError 404 for an archived project, or for the first feature that is unknown or of another project; 400 for
 * too many live features, or more writes than a request may have.
 */
export function reviveFeatures(request: FlagRequest, actor: Actor, projectId: string, featureNames: readonly string[]) {
  return changeFeatures(request, actor, featureNames, {
    read: async () => {
      const project = requireActive(await loadProject(request, projectId));
      return { project, counts: await loadCapacity(request, project) };
    },
    require: (head, name) => requireHead(head, name, projectId),
    select: (heads, { project, counts }) => {
      const archived = heads.filter(({ archivedAt }) => archivedAt !== null);
      requireCapacity(project, counts, archived.length);
      return archived;
    },
    load: async (head) => {
      const stored = await loadRest(request, head, usedEnvironmentsOf(head));
      return { stored, existing: await loadExistingReferences(request, stored.feature) };
    },
    decide: (_head, { stored, existing }, _facts, at) =>
      toFeatureUnit(request, stored, decideRevival(stored.feature, existing, at)),
  });
}

function usedEnvironmentsOf({ revision }: FeatureHead): string[] {
  return [...revision.summaries].flatMap(([environment, { enabled, version }]) =>
    enabled || version > 0 ? [environment] : [],
  );
}

/** Decides to revive a feature. It is switched off, since nobody expects that a revived feature is on at once. */
function decideRevival(
  feature: Feature,
  existing: ExistingReferences,
  at: string,
): { readonly after: Feature; readonly events: NewEvent[] } {
  const { after, events } = dropMissingReferences(applyFeatureUpdate(feature, { archived: false }, at), existing, at);
  const switchOffs = [...after.environments].map(([name, state]) => ({ name, ...decideSwitchOff(after, name, state) }));
  return {
    after: { ...after, environments: new Map(switchOffs.map(({ name, state }) => [name, state])) },
    events: [featureRevived(after), ...events, ...switchOffs.flatMap((switchOff) => switchOff.events)],
  };
}
