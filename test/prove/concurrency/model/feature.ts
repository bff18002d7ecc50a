import type { Event } from '../../../../lib/events/event-schema.ts';
import type { FeatureVariant } from '../../../../lib/features/environments/variant-schema.ts';
import type { FeatureView, ListedFeature } from '../../../../lib/features/feature-schema.ts';
import type { Strategy } from '../../../../lib/features/strategies/strategy-schema.ts';
import type { Tag } from '../../../../lib/tags/tag-schema.ts';
import type { Facts } from '../history.ts';

export interface EnvironmentState {
  readonly enabled: boolean;
  readonly strategies: readonly Strategy[];
  readonly variants: readonly FeatureVariant[];
}

/** Creator of a feature, according to its first event. */
export interface Creator {
  readonly id: number;
  readonly name: string;
}

/** State of a feature between two changes. */
export interface FeatureState {
  readonly name: string;
  readonly project: string;
  readonly type: string;
  readonly description: string | null;
  readonly stale: boolean;
  readonly impressionData: boolean;
  readonly createdAt: string;
  readonly createdBy: Creator;
  readonly archivedAt: string | null;
  readonly tags: readonly Tag[];
  /** Stage and its time; after a revival only an answer tells the time, so it may be unknown. */
  readonly lifecycle: { readonly stage: 'initial' | 'archived'; readonly enteredStageAt: string | undefined };
  readonly environments: Readonly<Record<string, EnvironmentState>>;
}

/** An event as far as the model foretells it: everything but its number, its author and its time. */
export type ForetoldEvent = Omit<Event, 'id' | 'createdAt' | 'createdBy' | 'createdByUserId'>;

const untouched: EnvironmentState = { enabled: false, strategies: [], variants: [] };

export function environmentOf({ environments }: FeatureState, name: string): EnvironmentState {
  return environments[name] ?? untouched;
}

export function withEnvironmentState(state: FeatureState, name: string, environment: EnvironmentState): FeatureState {
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
      const { enabled, strategies, variants } = environmentOf(state, name);
      return {
        name,
        featureName: state.name,
        environment: name,
        type,
        enabled,
        sortOrder,
        variantCount: variants.length,
        strategies: strategies.toSorted((a, b) => a.sortOrder - b.sortOrder),
        variants: [...variants],
        lastSeenAt: null,
        yes: 0,
        no: 0,
        hasStrategies: strategies.length > 0,
        hasEnabledStrategies: strategies.some(({ disabled }) => !disabled),
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
