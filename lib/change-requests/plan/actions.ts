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
import { planAddPlan } from '../../release-plans/add-plan.ts';
import {
  planRemovePlan,
  planRemoveProgression,
  planResumePlan,
  planSetProgression,
  planStartMilestone,
  planUpdateMilestoneStrategy,
} from '../../release-plans/change-plan.ts';
import { planRemoveSafeguard, planSetSafeguard } from '../../release-plans/change-safeguards.ts';
import type { Request } from '../../request.ts';
import { isActivating, type RequestedChange } from '../change-request.ts';
import { type FeatureChangeInput, inputOf } from './base.ts';

/**
 * Decides on a change of a feature. Pure.
 * @param adds the strategy that a feature gets when it is switched on without one, instead of the default strategy.
 * @throws ApiError if the change cannot be made.
 */
export type PlannedChange = (
  stored: StoredFeature | undefined,
  at: string,
  adds?: StrategyContent,
) => Pick<FeatureChange, 'stored' | 'after' | 'events'>;

/**
 * Reads the facts that a change of a feature depends on, apart from the feature, and returns the same decision as that of
 * the direct change. It checks no permissions: those of the person who applies the request were checked.
 */
export async function loadPlannedChange(
  request: Request,
  path: EnvironmentPath,
  change: RequestedChange,
): Promise<PlannedChange> {
  const input = inputOf(change) as FeatureChangeInput;
  switch (input.action) {
    case 'updateEnabled': {
      const { activates } = Object(change.base);
      const activateDisabled = isActivating(change) && (activates === undefined || Object.keys(activates));
      const options = { activateDisabled, assertMayAdd: () => {} };
      return input.payload.enabled
        ? prepareSwitchOn(planSwitchOn(request, path, options))
        : prepare(planSwitchOff(request, path));
    }
    case 'addStrategy':
      return prepare(planAddStrategy(request, path, input.payload));
    case 'updateStrategy': {
      const { id: strategyId, ...update } = input.payload;
      return prepare(planUpdateStrategy(request, { ...path, strategyId }, update));
    }
    case 'deleteStrategy':
      return prepare(planRemoveStrategy(request, { ...path, strategyId: input.payload.id }));
    case 'reorderStrategy':
      return prepare(planOrderStrategies(request, path, input.payload));
    case 'patchVariant':
      return prepare(planChangeVariants(request, path, buildOverwrite(input.payload.variants)));
    case 'archiveFeature':
      return prepare(planArchive(request, path));
    case 'addDependency':
      return prepare(planAddDependency(request, path, input.payload));
    case 'deleteDependency':
      return prepare(planRemoveDependencies(request, path));
    case 'addReleasePlan':
      return prepare(planAddPlan(request, change.createdBy, path, input.payload.templateId, change.template));
    case 'deleteReleasePlan':
      return prepare(planRemovePlan(request, { ...path, ...input.payload }));
    case 'startMilestone':
      return prepare(planStartMilestone(request, { ...path, ...input.payload }));
    case 'updateMilestoneStrategy': {
      const { id: strategyId, ...update } = input.payload;
      return prepare(planUpdateMilestoneStrategy(request, { ...path, strategyId }, update));
    }
    case 'changeMilestoneProgression': {
      const { sourceMilestone, ...progression } = input.payload;
      return prepare(planSetProgression(request, { ...path, sourceMilestone }, progression));
    }
    case 'deleteMilestoneProgression':
      return prepare(planRemoveProgression(request, { ...path, ...input.payload }));
    case 'resumeMilestoneProgression':
      return prepare(planResumePlan(request, { ...path, ...input.payload }));
    case 'changeReleasePlanSafeguard': {
      const { planId, safeguard } = input.payload;
      return prepare(planSetSafeguard(request, { ...path, planId }, safeguard));
    }
    case 'deleteReleasePlanSafeguard': {
      const { planId, safeguardId } = input.payload;
      return prepare(planRemoveSafeguard(request, { ...path, planId }, safeguardId));
    }
    case 'changeFeatureEnvSafeguard':
      return prepare(planSetSafeguard(request, path, input.payload.safeguard));
    case 'deleteFeatureEnvSafeguard':
      return prepare(planRemoveSafeguard(request, path, input.payload.safeguardId));
  }
}

async function prepareSwitchOn(change: ReturnType<typeof planSwitchOn>): Promise<PlannedChange> {
  const facts = await change.read();
  return (stored, at, adds) =>
    change.decide({ ...facts, stored, facts: adds ? { strategy: adds, version: 0 } : facts.facts }, at);
}

async function prepare<Facts extends { readonly stored?: StoredFeature | undefined }, T>(
  change: FeatureChangePlan<Facts, T>,
): Promise<PlannedChange> {
  const facts = await change.read();
  return (stored, at) => change.decide({ ...facts, stored }, at);
}
