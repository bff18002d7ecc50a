import type { Event } from '../../../../lib/events/event-schema.ts';
import type { FeatureEnvironment } from '../../../../lib/features/environments/feature-environment.ts';
import { listLiveStrategies } from '../../../../lib/features/environments/feature-environment.ts';
import type { Feature } from '../../../../lib/features/feature.ts';
import type { FeatureView, ListedFeature } from '../../../../lib/features/feature-schema.ts';
import type { PlanSummary } from '../../../../lib/features/plans/plan-summary.ts';
import { viewPlan } from '../../../../lib/features/plans/view-plan.ts';
import type { Strategy, StrategyView } from '../../../../lib/features/strategies/strategy-schema.ts';
import type { Facts } from '../history.ts';

/** State of a feature in an environment, with the time that its plan waits for. */
export interface StateInEnvironment extends FeatureEnvironment {
  readonly clock?: PlanSummary;
}

/** State of a feature between two changes. */
export interface FeatureState
  extends Pick<
    Feature,
    | ('name' | 'project' | 'type' | 'description' | 'stale' | 'impressionData')
    | ('createdAt' | 'createdBy' | 'archivedAt' | 'tags')
  > {
  /** Stage and its time; after a revival only an answer tells the time, so it may be unknown. */
  readonly lifecycle: { readonly stage: 'initial' | 'archived'; readonly enteredStageAt: string | undefined };
  readonly environments: Readonly<Record<string, StateInEnvironment>>;
}

/** An event as far as the model foretells it: everything but its number, its author and its time. */
export type ForetoldEvent = Omit<Event, 'id' | 'createdAt' | 'createdBy' | 'createdByUserId'>;

const untouched: StateInEnvironment = { enabled: false, strategies: [], variants: [] };

export function environmentOf({ environments }: FeatureState, name: string): StateInEnvironment {
  return environments[name] ?? untouched;
}

export function withEnvironmentState(state: FeatureState, name: string, environment: StateInEnvironment): FeatureState {
  return { ...state, environments: { ...state.environments, [name]: environment } };
}

/** Returns the feature's own fields, as events show them. */
export function ownFieldsOf({
  name,
  description,
  type,
  project,
  stale,
  impressionData,
  createdAt,
  archivedAt,
}: FeatureState) {
  const archived = archivedAt !== null;
  return { name, description, type, project, stale, impressionData, createdAt, archivedAt, archived, lastSeenAt: null };
}

/** Returns a feature as the archive lists it; unknown values are taken from the answer. */
export function archivedView(state: FeatureState, answer: ListedFeature): ListedFeature {
  const { stage, enteredStageAt = answer.lifecycle.enteredStageAt } = state.lifecycle;
  return {
    ...ownFieldsOf(state),
    createdBy: { ...state.createdBy, imageUrl: '' },
    favorite: false,
    tags: [...state.tags],
    lifecycle: { stage, enteredStageAt },
  };
}

/** Returns a feature as an update answers it, with the environments that the answer names. */
export function fullView(state: FeatureState, facts: Facts, answer: FeatureView): FeatureView {
  const named = new Set(answer.environments.map(({ name }) => name));
  const environments = facts.environments
    .filter(({ name }) => named.has(name))
    .map(({ name, type, sortOrder }) => {
      const environment = environmentOf(state, name);
      const { enabled, strategies, variants, plan, nextAt } = environment;
      const live = listLiveStrategies(environment);
      return {
        name,
        featureName: state.name,
        environment: name,
        type,
        enabled,
        sortOrder,
        variantCount: variants.length,
        strategies: strategies.toSorted((a, b) => a.sortOrder - b.sortOrder).map(withoutFeatureName),
        variants: [...variants],
        lastSeenAt: null,
        yes: 0,
        no: 0,
        hasStrategies: live.length > 0,
        hasEnabledStrategies: live.some(({ disabled }) => !disabled),
        releasePlans: plan ? [viewPlan(plan, { feature: state.name, environment: name }, nextAt)] : [],
        safeguards: [],
      };
    });
  return {
    ...archivedView(state, answer),
    enabled: environments.some(({ enabled }) => enabled),
    environments,
    variants: [...new Map(environments.flatMap(({ variants }) => variants.map((each) => [each.name, each]))).values()],
    strategies: [],
    children: [],
    collaborators: { users: [{ ...state.createdBy, imageUrl: '' }] },
    dependencies: [],
    links: [],
  };
}

/** Returns a strategy as the views of its feature, and answers to an update of it, show it. */
export function withoutFeatureName({ featureName: _featureName, ...strategy }: Strategy): StrategyView {
  return strategy;
}
