import type { FeatureChangePlan } from '../../features/change-feature.ts';
import { planAddDependency, planRemoveDependencies } from '../../features/dependencies/change-dependencies.ts';
import type { EnvironmentPath } from '../../features/environments/change-environment.ts';
import { buildOverwrite, planChangeVariants } from '../../features/environments/change-variants.ts';
import { planSwitchOff, planSwitchOn } from '../../features/environments/switch-feature.ts';
import type { StoredFeature } from '../../features/items/feature-items.ts';
import type { FeatureChange } from '../../features/items/feature-writes.ts';
import { planArchive } from '../../features/lifecycle/archive-feature.ts';
import {
  planAddStrategy,
  planOrderStrategies,
  planRemoveStrategy,
  planUpdateStrategy,
} from '../../features/strategies/change-strategies.ts';
import type { StrategyContent } from '../../features/strategies/strategy-schema.ts';
import type { Request } from '../../request.ts';
import { isActivating, type RequestedChange } from '../change-request.ts';
import { type FeatureChangeInput, inputOf } from './base.ts';

/**
 * Makes a change of a feature; pure.
 * @param adds the strategy that a feature gets which is switched on without one, rather than the default one.
 * @throws ApiError where it cannot be made.
 */
export type PlannedStep = (
  stored: StoredFeature | undefined,
  at: string,
  adds?: StrategyContent,
) => Pick<FeatureChange, 'stored' | 'after' | 'events'>;

/**
 * Reads all that a change of a feature depends on besides the feature, for the very decision that the direct change
 * takes. It asks for no permission: that was asked of the person who applies the request.
 */
export async function loadStep(
  request: Request,
  place: EnvironmentPath,
  change: RequestedChange,
): Promise<PlannedStep> {
  const input = inputOf(change) as FeatureChangeInput;
  switch (input.action) {
    case 'updateEnabled': {
      const { activates } = Object(change.base);
      const activateDisabled = isActivating(change) && (activates === undefined || Object.keys(activates));
      const how = { activateDisabled, assertMayAdd: () => {} };
      return input.payload.enabled
        ? loadedOn(planSwitchOn(request, place, how))
        : loaded(planSwitchOff(request, place));
    }
    case 'addStrategy':
      return loaded(planAddStrategy(request, place, input.payload));
    case 'updateStrategy': {
      const { id: strategyId, ...update } = input.payload;
      return loaded(planUpdateStrategy(request, { ...place, strategyId }, update));
    }
    case 'deleteStrategy':
      return loaded(planRemoveStrategy(request, { ...place, strategyId: input.payload.id }));
    case 'reorderStrategy':
      return loaded(planOrderStrategies(request, place, input.payload));
    case 'patchVariant':
      return loaded(planChangeVariants(request, place, buildOverwrite(input.payload.variants)));
    case 'archiveFeature':
      return loaded(planArchive(request, place));
    case 'addDependency':
      return loaded(planAddDependency(request, place, input.payload));
    case 'deleteDependency':
      return loaded(planRemoveDependencies(request, place));
  }
}

async function loadedOn(change: ReturnType<typeof planSwitchOn>): Promise<PlannedStep> {
  const found = await change.read();
  return (stored, at, adds) =>
    change.decide({ ...found, stored, facts: adds ? { strategy: adds, version: 0 } : found.facts }, at);
}

async function loaded<Found extends { readonly stored?: StoredFeature | undefined }, T>(
  change: FeatureChangePlan<Found, T>,
): Promise<PlannedStep> {
  const found = await change.read();
  return (stored, at) => change.decide({ ...found, stored }, at);
}
