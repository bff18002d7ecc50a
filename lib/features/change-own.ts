import type { FlagRequest } from '../entity/step.ts';
import type { Actor } from '../events/actor.ts';
import type { NewEvent } from '../events/event.ts';
import type { Request } from '../request.ts';
import { changeFeature } from './change-feature.ts';
import { planLiveChange } from './change-live.ts';
import type { Feature } from './feature.ts';
import type { MetadataPlace } from './update-feature.ts';

type DecideOwn = (feature: Feature, at: string) => { readonly after: Feature; readonly event: NewEvent | undefined };

/**
 * Changes the properties of a live feature that are the same in all environments.
 * @param decide pure; without an event nothing changes.
 * @throws ApiError 404 for an unknown project or feature; what `decide` throws; 412 by `If-Match`.
 */
export function changeOwn(request: FlagRequest, actor: Actor, place: MetadataPlace, decide: DecideOwn) {
  return changeFeature(request, actor, planOwnChange(request, place, decide));
}

/** The change of `changeOwn`. */
export function planOwnChange(request: Request, place: MetadataPlace, decide: DecideOwn) {
  return planLiveChange<undefined, undefined>(request, place, {
    decide: ({ feature }, at) => {
      const { after, event } = decide(feature, at);
      return { after, events: event === undefined ? [] : [event], value: undefined };
    },
  });
}
