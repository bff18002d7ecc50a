import { isDeepStrictEqual } from 'node:util';
import type { Event } from '../../../../lib/events/event-schema.ts';
import { listLiveStrategies } from '../../../../lib/features/environments/feature-environment.ts';
import type { FeatureVariant } from '../../../../lib/features/environments/variant-schema.ts';
import type { Strategy } from '../../../../lib/features/strategies/strategy-schema.ts';
import type { RequestOf } from '../history.ts';
import { type Chosen, type Draft, shownStrategy } from './draft.ts';
import { environmentOf, type FeatureState, withEnvironmentState } from './feature.ts';
import { created } from './import.ts';
import { inPlace } from './strategies.ts';

export type CloneRequest = RequestOf<'clone'>;

/** Properties that a clone takes over from its source. */
export type TakenOver = Pick<FeatureState, 'type' | 'description' | 'stale' | 'impressionData' | 'environments'>;

/** Returns the properties that a clone takes over; the ids of its strategies are new. */
export function takenOver(source: FeatureState, { name, replaceGroupId }: CloneRequest): TakenOver {
  const { type, description, stale, impressionData } = source;
  const copied = (strategy: Strategy): Strategy => {
    const { parameters } = strategy;
    const isGrouped = replaceGroupId && 'groupId' in parameters;
    return { ...strategy, featureName: name, parameters: isGrouped ? { ...parameters, groupId: name } : parameters };
  };
  const environments = Object.entries(source.environments).map(([environment, state]) => {
    const { strategies, variants } = state;
    // A copy continues with what is live, and not with the plan.
    const live = listLiveStrategies(state).map((strategy, sortOrder) => ({ ...strategy, sortOrder }));
    return [
      environment,
      { enabled: false, strategies: (state.plan ? live : strategies).map(copied), variants },
    ] as const;
  });
  return { type, description, stale, impressionData, environments: Object.fromEntries(environments) };
}

/** Returns the properties that a clone took over, according to its events; the model cannot know at which moment. */
export function toldBy(events: readonly Pick<Event, 'type' | 'environment' | 'data'>[], name: string): TakenOver {
  const [{ type, description, stale, impressionData }] = events.map(({ data }) => data ?? {}) as [TakenOver];
  let told = { type, description, stale, impressionData, environments: {} } as FeatureState;
  for (const { type: what, environment, data } of events) {
    if (environment === null) continue;
    const state = environmentOf(told, environment);
    if (what === 'feature-environment-variants-updated') {
      const { variants } = data as { variants: readonly FeatureVariant[] };
      told = withEnvironmentState(told, environment, { ...state, variants });
    }
    if (what === 'feature-strategy-add') {
      const strategy = { ...data, featureName: name } as unknown as Strategy;
      told = withEnvironmentState(told, environment, { ...state, strategies: [...state.strategies, strategy] });
    }
  }
  return told;
}

/** Returns a new feature with the properties that it takes over. */
export function cloned({ name, project }: CloneRequest, { environments, ...fields }: TakenOver, chosen: Chosen): Draft {
  const { type, stale, impressionData, description } = fields;
  const own = { type, stale, impressionData, ...(description !== null && { description }) };
  const draft = created({ name, fields: own }, { project }, chosen);
  draft.state = { ...draft.state, environments };
  for (const [environment, { strategies, variants }] of Object.entries(environments)) {
    if (variants.length > 0) {
      draft.tell('feature-environment-variants-updated', {
        environment,
        data: { variants },
        preData: { variants: [] },
      });
    }
    for (const strategy of strategies)
      draft.tell('feature-strategy-add', { environment, data: shownStrategy(strategy) });
  }
  return draft;
}

/** Tells whether two features have taken over the same, apart from the ids of their strategies. */
export function isSameCopy(some: TakenOver, other: TakenOver): boolean {
  return isDeepStrictEqual(comparable(some), comparable(other));
}

function comparable({ type, description, stale, impressionData, environments }: TakenOver) {
  const content = Object.entries(environments)
    .filter(([, { strategies, variants }]) => strategies.length + variants.length > 0)
    .map(([name, { strategies, variants }]) => {
      return [name, { variants, strategies: inPlace(strategies).map(({ id: _id, ...strategy }) => strategy) }] as const;
    });
  return { type, description, stale, impressionData, environments: Object.fromEntries(content) };
}
