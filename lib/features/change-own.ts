import type { Actor } from '../events/actor.ts';
import type { NewEvent } from '../events/event.ts';
import { loadProject } from '../projects/projects.ts';
import type { Request } from '../request.ts';
import { type ChangeOfFeature, changeFeature } from './change-feature.ts';
import type { Feature } from './feature.ts';
import { loadFeatureIn } from './feature-store.ts';
import type { StoredFeature } from './items/feature-items.ts';
import { requireFeature, requireLive } from './require-feature.ts';
import type { MetadataPlace } from './update-feature.ts';

type DecideOwn = (feature: Feature, at: string) => { readonly after: Feature; readonly event: NewEvent | undefined };

/**
 * Changes the properties of a live feature that are the same in all environments.
 * @param decide pure; without an event nothing changes.
 * @throws ApiError 404 for an unknown project or feature; what `decide` throws; 412 by `If-Match`.
 */
export function changeOwn(request: Request, actor: Actor, place: MetadataPlace, decide: DecideOwn) {
  return changeFeature(request, actor, changingOwn(request, place, decide));
}

/** The change of `changeOwn`. */
export function changingOwn(
  request: Request,
  { projectId, featureName }: MetadataPlace,
  decide: DecideOwn,
): ChangeOfFeature<{ readonly stored: StoredFeature | undefined }, undefined> {
  return {
    name: featureName,
    read: async () => {
      const [, stored] = await Promise.all([loadProject(request, projectId), loadFeatureIn(request, featureName, [])]);
      return { stored };
    },
    decide: ({ stored: found }, at) => {
      const stored = requireLive(requireFeature(found, featureName, projectId));
      const { after, event } = decide(stored.feature, at);
      return { stored, after, events: event === undefined ? [] : [event], value: undefined };
    },
  };
}
