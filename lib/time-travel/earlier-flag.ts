import type { FeatureEnvironment } from '../features/environments/feature-environment.ts';
import { listLiveStrategies } from '../features/environments/feature-environment.ts';
import type { Feature } from '../features/feature.ts';
import { type DeliveredFeature, toDeliveredFeature, toDeliveredState } from '../features/items/delivered-feature.ts';
import type { ReleasePlan } from '../features/plans/release-plan.ts';
import { isOnForSdks } from '../features/strategies/served-state.ts';
import { sortByOrder } from '../features/strategies/strategy.ts';
import type { Strategy } from '../features/strategies/strategy-schema.ts';

/** The state of a feature in an environment at some moment, as far as SDKs get it. */
export interface EarlierEnvironment extends Pick<FeatureEnvironment, 'enabled' | 'variants'> {
  /** The strategies of the feature itself, in the order of their positions. */
  readonly strategies: readonly Strategy[];
  /** The plan, as far as SDKs get it: times and pauses are not followed. */
  readonly plan?: EarlierPlan;
}

export type EarlierPlan = Pick<
  ReleasePlan,
  'id' | 'name' | 'releasePlanTemplateId' | 'milestones' | 'activeMilestoneId'
>;

/** A feature at some moment, as far as SDKs get it. */
export interface EarlierFlag
  extends Pick<Feature, 'name' | 'project' | 'type' | 'description' | 'stale' | 'impressionData' | 'dependencies'> {
  readonly archived: boolean;
  readonly environments: ReadonlyMap<string, EarlierEnvironment>;
}

const emptyEnvironment: EarlierEnvironment = { enabled: false, strategies: [], variants: [] };

/** Converts a feature that was read with all its environments. */
export function toEarlierFlag(feature: Feature): EarlierFlag {
  const { name, project, type, description, stale, impressionData, dependencies, archivedAt } = feature;
  const environments = [...feature.environments].map(([environment, state]) => {
    const { enabled, strategies, variants, plan } = state;
    const own = { enabled, variants, strategies: sortByOrder(strategies) };
    return [environment, plan === undefined ? own : { ...own, plan }] as const;
  });
  return {
    ...{ name, project, type, description, stale, impressionData, dependencies },
    archived: archivedAt !== null,
    environments: new Map(environments),
  };
}

/** Returns the state of a feature in an environment; off and empty if it has none there. */
export function environmentOfEarlier({ environments }: EarlierFlag, environment: string): EarlierEnvironment {
  return environments.get(environment) ?? emptyEnvironment;
}

/** Returns a feature as SDKs with an environment get it; undefined for an archived one. */
export function deliverEarlier(state: EarlierFlag, environment: string): DeliveredFeature | undefined {
  if (state.archived) return undefined;
  const { enabled, ...content } = toFeatureEnvironment(environmentOfEarlier(state, environment));
  const live = listLiveStrategies(content);
  const enabledStrategies = live.filter(({ disabled }) => !disabled).length;
  const isOn = isOnForSdks({ enabled, strategies: live.length, enabledStrategies });
  return toDeliveredFeature(state, isOn, toDeliveredState(content));
}

/** Lists the strategies that SDKs get, with disabled ones, in their order. */
export function listStrategiesOf(state: EarlierEnvironment): readonly Strategy[] {
  return listLiveStrategies(toFeatureEnvironment(state));
}

/** Lists the ids of the segments that SDKs got with a feature. */
export function listUsedSegments({ environments }: EarlierFlag): number[] {
  const strategies = [...environments.values()].flatMap(listStrategiesOf).filter(({ disabled }) => !disabled);
  return [...new Set(strategies.flatMap(({ segments }) => segments))];
}

function toFeatureEnvironment({ plan, ...state }: EarlierEnvironment): FeatureEnvironment {
  return plan === undefined ? state : { ...state, plan: { ...lackingFields, ...plan } };
}

/** Values for the fields of a plan that earlier states lack, since SDKs do not get them. */
const lackingFields = { description: '', createdByUserId: 0, createdAt: '' };
