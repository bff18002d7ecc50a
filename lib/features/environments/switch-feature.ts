import { type PermittedCaller, permitted } from '../../people/rights/caller.ts';
import { loadDefaultStrategy } from '../../projects/default-strategy.ts';
import type { Request } from '../../request.ts';
import type { Versioned } from '../../store/transactions/versioned.ts';
import { changeFeature } from '../change-feature.ts';
import { type FeaturePlace, inEnvironment } from './change-environment.ts';
import { type SwitchingOn, switchedOff, switchedOn } from './switch.ts';

/**
 * Switches a feature on in an environment. Without an enabled strategy it gets the default one of the project there, or,
 * if `activateDisabled`, its disabled ones are enabled.
 * @throws ApiError 404 for an unknown project, environment or feature, and for an archived one; 403 where a strategy has
 * to be added and the caller may not; 412 by `If-Match`.
 */
export function enableFeature(
  request: Request,
  caller: PermittedCaller,
  place: FeaturePlace,
  activateDisabled: boolean,
): Promise<Versioned<undefined>> {
  const assertMayAdd = () => void permitted(caller, ['CREATE_FEATURE_STRATEGY'], place.projectId, place.environment);
  return changeFeature(request, caller, switchingOn(request, place, { activateDisabled, assertMayAdd }));
}

/** The change of `enableFeature`. */
export function switchingOn(
  request: Request,
  place: FeaturePlace,
  how: Pick<SwitchingOn, 'activateDisabled' | 'assertMayAdd'>,
) {
  const { projectId, environment } = place;
  return inEnvironment(request, place, {
    likelyEvents: 2,
    read: () => loadDefaultStrategy(request, projectId, environment),
    decide: ({ project, feature, state, more }) => ({
      ...switchedOn(feature, state, { ...how, project, environment, defaultStrategy: more?.strategy }),
      value: undefined,
    }),
  });
}

/**
 * Switches a feature off in an environment; all else of it stays as it is.
 * @throws ApiError 404 for an unknown project, environment or feature, and for an archived one.
 */
export function switchingOff(request: Request, place: FeaturePlace) {
  return inEnvironment(request, place, {
    read: async () => undefined,
    decide: ({ feature, state }) => ({ ...switchedOff(feature, place.environment, state), value: undefined }),
  });
}
