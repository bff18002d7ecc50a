import type { Event } from '../events/event-schema.ts';
import type { FeatureVariant } from '../features/environments/variant-schema.ts';
import type { Dependency } from '../features/feature-schema.ts';
import type { ReleasePlanView } from '../features/plans/plan-schema.ts';
import { sortByOrder } from '../features/strategies/strategy.ts';
import type { Strategy, StrategyView } from '../features/strategies/strategy-schema.ts';
import { type EarlierEnvironment, type EarlierFlag, type EarlierPlan, environmentOfEarlier } from './earlier-flag.ts';

/** The state of a feature before an event. */
interface Undone {
  /** Undefined if the feature did not exist. */
  readonly state: EarlierFlag | undefined;
  /** A reason why the state may be wrong. */
  readonly doubt?: string;
}

/** The content of a feature in events of an import and of a deletion. */
type Content = Omit<EarlierFlag, 'environments'> & {
  readonly environments?: Readonly<
    Record<
      string,
      Pick<EarlierEnvironment, 'enabled' | 'variants'> & {
        readonly strategies: readonly StrategyView[];
        readonly releasePlans?: readonly ReleasePlanView[];
      }
    >
  >;
};

/**
 * Returns the state of a feature before an event. An event that SDKs do not see changes nothing.
 * @param state the state after the event; undefined if the feature does not exist then.
 */
export function undoEvent(state: EarlierFlag | undefined, event: Event): Undone {
  switch (event.type) {
    case 'feature-created':
      return { state: undefined };
    case 'feature-deleted':
      return undoDeletion(event);
    case 'feature-import':
      return { state: event.preData === null ? undefined : readContent(event.preData) };
    default:
      return state === undefined
        ? { state, doubt: `The event ${event.id} (${event.type}) is about a feature that did not exist.` }
        : undoChange(state, event);
  }
}

function undoDeletion({ preData }: Event): Undone {
  const content = readContent(preData ?? {});
  if (preData !== null && 'environments' in preData) return { state: content };
  return {
    state: content,
    doubt:
      'The event of its deletion does not contain its strategies and variants: an older version wrote it, or it was too large.',
  };
}

function readContent(content: object): EarlierFlag {
  const { name, project, type, description, stale, impressionData, archived, ...others } = content as Content;
  const environments = Object.entries(others.environments ?? {}).map(([environment, state]) => {
    const { enabled, variants, strategies, releasePlans: [plan] = [] } = state;
    const own = { enabled, variants, strategies: sortByOrder(strategies.map((view) => readStrategy(view, name))) };
    return [environment, plan === undefined ? own : { ...own, plan: readPlan(plan, name) }] as const;
  });
  return {
    ...{ name, project, type, description, stale, impressionData, archived },
    dependencies: others.dependencies ?? [],
    environments: new Map(environments),
  };
}

function readStrategy(view: StrategyView, featureName: string): Strategy {
  const {
    id,
    name,
    title,
    disabled,
    sortOrder,
    segments = [],
    constraints = [],
    variants = [],
    parameters = {},
  } = view;
  return { id, name, title, disabled, featureName, sortOrder, segments, constraints, variants, parameters };
}

function readPlan(
  { id, name, releasePlanTemplateId, milestones, activeMilestoneId }: ReleasePlanView,
  feature: string,
) {
  return {
    ...{ id, name, releasePlanTemplateId },
    ...(activeMilestoneId !== null && { activeMilestoneId }),
    milestones: milestones.map(({ strategies, ...milestone }) => ({
      ...{ id: milestone.id, name: milestone.name, sortOrder: milestone.sortOrder },
      ...(milestone.transitionCondition && { transitionCondition: milestone.transitionCondition }),
      strategies: strategies.map((view) => readStrategy(view, feature)),
    })),
  };
}

function undoChange(state: EarlierFlag, event: Event): Undone {
  const { type, data, preData, environment } = event;
  switch (type) {
    case 'feature-metadata-updated': {
      const { dependencies, environments } = state;
      return { state: { ...readContent(preData ?? {}), dependencies, environments } };
    }
    case 'feature-stale-on':
    case 'feature-stale-off':
      return { state: { ...state, stale: type === 'feature-stale-off' } };
    case 'feature-archived':
    case 'feature-revived':
      return { state: { ...state, archived: type === 'feature-revived' } };
    case 'feature-project-change':
      return { state: { ...state, project: String(data?.oldProject) } };
    case 'feature-dependency-added':
    case 'feature-dependency-removed':
    case 'feature-dependencies-removed':
      return undoDependencies(state, event);
    default:
      return environment === null ? { state } : undoEnvironmentEvent(state, environment, event);
  }
}

/** Undoes a change of the parents. Events of older versions contain only the parent that was added, or the name of the removed one. */
function undoDependencies(state: EarlierFlag, { id, type, data, preData }: Event): Undone {
  const before = preData?.dependencies as readonly Dependency[] | undefined;
  if (before !== undefined) return { state: { ...state, dependencies: before } };
  if (type !== 'feature-dependency-added')
    return { state, doubt: `The event ${id} (${type}) of an older version does not contain the parents before.` };
  const { feature } = data as { readonly feature: string };
  return { state: { ...state, dependencies: state.dependencies.filter((parent) => parent.feature !== feature) } };
}

/** The state in an environment before an event; undefined if the event does not fit the state after it. */
type EnvironmentBefore = EarlierEnvironment | undefined;

function undoEnvironmentEvent(state: EarlierFlag, environment: string, event: Event): Undone {
  const after = environmentOfEarlier(state, environment);
  const before = undoInEnvironment(after, event, state.name);
  if (before === after) return { state };
  if (before === undefined)
    return {
      state,
      doubt: `The event ${event.id} (${event.type}) in "${environment}" does not fit what is known of it.`,
    };
  const doubt = findDoubt(after, event);
  return {
    state: { ...state, environments: new Map(state.environments).set(environment, before) },
    ...(doubt !== undefined && { doubt }),
  };
}

/** Finds the part of the state that an event of an older version does not contain. */
function findDoubt(
  { strategies }: EarlierEnvironment,
  { id, type, data, preData, environment }: Event,
): string | undefined {
  const before = `The event ${id} (${type}) in "${environment}" of an older version`;
  if (type === 'strategy-order-changed')
    return preData !== null && 'sortOrders' in preData
      ? undefined
      : `${before} does not contain the positions of strategies.`;
  const isMoved =
    type === 'feature-strategy-remove' ||
    (type === 'feature-strategy-update' && data?.sortOrder !== preData?.sortOrder);
  if (!isMoved || preData === null || 'index' in preData) return undefined;
  const isTied = strategies.some((other) => other.id !== preData.id && other.sortOrder === preData.sortOrder);
  return isTied ? `${before} does not tell which of two strategies with the same position came first.` : undefined;
}

function undoInEnvironment(state: EarlierEnvironment, event: Event, feature: string): EnvironmentBefore {
  const { type, data, preData } = event;
  switch (type) {
    case 'feature-environment-enabled':
    case 'feature-environment-disabled':
      return { ...state, enabled: type === 'feature-environment-disabled' };
    case 'feature-environment-variants-updated':
      return { ...state, variants: (preData?.variants ?? []) as readonly FeatureVariant[] };
    case 'feature-strategy-add': {
      const strategies = state.strategies.filter(({ id }) => id !== data?.id);
      return strategies.length < state.strategies.length ? { ...state, strategies } : undefined;
    }
    case 'feature-strategy-update':
      return changeStrategies(state, data?.id, (strategies) =>
        insertStrategy(
          strategies.filter(({ id }) => id !== data?.id),
          preData ?? {},
          feature,
          findKeptIndex(strategies, event),
        ),
      );
    case 'feature-strategy-remove':
      return undoRemoval(state, preData ?? {}, feature);
    case 'strategy-order-changed':
      return { ...state, strategies: reorder(state.strategies, preData ?? {}) };
    default:
      return undoPlanEvent(state, event, feature);
  }
}

/** Returns the index of an updated strategy; undefined if the update has changed its position. */
function findKeptIndex(strategies: readonly Strategy[], { data, preData }: Event): number | undefined {
  if (data?.sortOrder !== preData?.sortOrder) return undefined;
  return strategies.findIndex(({ id }) => id === data?.id);
}

/** Changes the list that contains a strategy: that of the feature, or of a milestone; undefined if none does. */
function changeStrategies(
  state: EarlierEnvironment,
  strategyId: unknown,
  change: (strategies: readonly Strategy[]) => readonly Strategy[],
): EnvironmentBefore {
  const contains = (strategies: readonly Strategy[]) => strategies.some(({ id }) => id === strategyId);
  if (contains(state.strategies)) return { ...state, strategies: change(state.strategies) };
  const { plan } = state;
  const milestone = plan?.milestones.find(({ strategies }) => contains(strategies));
  return plan && milestone && withMilestoneStrategies(state, plan, milestone.id, change);
}

function withMilestoneStrategies(
  state: EarlierEnvironment,
  plan: EarlierPlan,
  milestoneId: string,
  change: (strategies: readonly Strategy[]) => readonly Strategy[],
): EarlierEnvironment {
  const milestones = plan.milestones.map((milestone) =>
    milestone.id === milestoneId ? { ...milestone, strategies: change(sortByOrder(milestone.strategies)) } : milestone,
  );
  return { ...state, plan: { ...plan, milestones } };
}

function undoRemoval(state: EarlierEnvironment, removed: object, feature: string): EnvironmentBefore {
  const { milestoneId } = removed as { readonly milestoneId?: string };
  if (milestoneId === undefined) return { ...state, strategies: insertStrategy(state.strategies, removed, feature) };
  const { plan } = state;
  return (
    plan &&
    withMilestoneStrategies(state, plan, milestoneId, (strategies) => insertStrategy(strategies, removed, feature))
  );
}

/** Inserts a strategy at its index if it has one, or else by its position. */
function insertStrategy(
  strategies: readonly Strategy[],
  view: object,
  feature: string,
  ownIndex = (view as { readonly index?: number }).index,
): readonly Strategy[] {
  const strategy = readStrategy(view as StrategyView, feature);
  const later = strategies.findIndex(({ sortOrder }) => sortOrder > strategy.sortOrder);
  const index = ownIndex ?? (later === -1 ? strategies.length : later);
  return strategies.toSpliced(index, 0, strategy);
}

/** Puts strategies into the order and the positions of an event. Those that the event does not name come last. */
function reorder(strategies: readonly Strategy[], order: object): readonly Strategy[] {
  const { strategyIds = [], sortOrders } = order as {
    readonly strategyIds?: readonly string[];
    readonly sortOrders?: readonly number[];
  };
  const indexes = new Map(strategyIds.map((id, index) => [id, index]));
  return strategies
    .map((strategy) => {
      const index = indexes.get(strategy.id);
      return index === undefined ? strategy : { ...strategy, sortOrder: sortOrders?.[index] ?? index };
    })
    .toSorted((a, b) => (indexes.get(a.id) ?? strategyIds.length) - (indexes.get(b.id) ?? strategyIds.length));
}

function undoPlanEvent(state: EarlierEnvironment, { type, data, preData }: Event, feature: string): EnvironmentBefore {
  const { plan, ...withoutPlan } = state;
  switch (type) {
    case 'release-plan-added':
      return plan?.id === data?.id ? withoutPlan : undefined;
    case 'release-plan-removed':
      return plan === undefined ? { ...state, plan: readPlan(preData as ReleasePlanView, feature) } : undefined;
    case 'release-plan-milestone-started': {
      if (plan?.id !== data?.id || plan === undefined) return undefined;
      const { activeMilestoneId: _active, ...waiting } = plan;
      const { milestoneId } = (preData ?? {}) as { readonly milestoneId?: string };
      return { ...state, plan: milestoneId === undefined ? waiting : { ...waiting, activeMilestoneId: milestoneId } };
    }
    default:
      return state;
  }
}
