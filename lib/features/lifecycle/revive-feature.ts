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
import { dropMissing, loadPresent, type Present } from './drop-missing.ts';

/**
 * Takes a feature out of the archive, off in every environment, and without what it uses that is gone.
 * @throws ApiError 403 for a caller who may not update it, whether it exists or not; 404 for an unknown feature, for
 * one that is not archived, and for one of an archived project; 400 for one live feature too many; 412 by `If-Match`.
 */
export function reviveFeature(request: FlagRequest, caller: Caller, featureName: string): Promise<Versioned<void>> {
  return changeFeature(request, ({ by }) => by, {
    name: featureName,
    likelyEvents: 2,
    read: async () => {
      const found = await loadFeature(request, featureName);
      // Before its project is looked up: that error would show the project's id.
      const { stored, by } = requirePermitted(found, featureName, caller, 'UPDATE_FEATURE');
      const [project, present] = await Promise.all([
        loadProject(request, stored.feature.project),
        loadPresent(request, stored.feature),
      ]);
      return { stored, by, project, present, room: await loadCapacity(request, project) };
    },
    decide: ({ stored: found, project, present, room }, at) => {
      const stored = requireArchived(found);
      requireActive(project);
      requireCapacity(project, room, 1);
      return { stored, ...revived(stored.feature, present, at), value: undefined };
    },
  });
}

/**
 * Takes features out of the archive, each as `reviveFeature` does. Those that are live stay so.
 * @throws ApiError 404 for an archived project, and for the first that is unknown or of another one; 400 for more than
 * one request may write, and for more live features than the project may have.
 */
export function reviveFeatures(request: FlagRequest, actor: Actor, projectId: string, featureNames: readonly string[]) {
  return changeFeatures(request, actor, featureNames, {
    read: async () => {
      const project = requireActive(await loadProject(request, projectId));
      return { project, room: await loadCapacity(request, project) };
    },
    require: (head, name) => requireHead(head, name, projectId),
    select: (heads, { project, room }) => {
      const archived = heads.filter(({ archivedAt }) => archivedAt !== null);
      requireCapacity(project, room, archived.length);
      return archived;
    },
    load: async (head) => {
      const stored = await loadRest(request, head, environmentsUsed(head));
      return { stored, present: await loadPresent(request, stored.feature) };
    },
    decide: (_head, { stored, present }, _found, at) =>
      toFeatureUnit(request, stored, revived(stored.feature, present, at)),
  });
}

function environmentsUsed({ revision }: FeatureHead): string[] {
  return [...revision.summaries].flatMap(([environment, { enabled, strategies }]) =>
    enabled || strategies > 0 ? [environment] : [],
  );
}

/** An old feature that is suddenly on would surprise its users. */
function revived(
  feature: Feature,
  present: Present,
  at: string,
): { readonly after: Feature; readonly events: NewEvent[] } {
  const { after, events } = dropMissing(applyFeatureUpdate(feature, { archived: false }, at), present);
  const switched = [...after.environments].map(([name, state]) => ({ name, ...decideSwitchOff(after, name, state) }));
  return {
    after: { ...after, environments: new Map(switched.map(({ name, state }) => [name, state])) },
    events: [featureRevived(after), ...events, ...switched.flatMap((each) => each.events)],
  };
}
