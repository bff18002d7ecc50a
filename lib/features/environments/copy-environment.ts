import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { FlagRequest } from '../../entity/effects.ts';
import { notFound } from '../../errors.ts';
import type { Actor } from '../../events/actor.ts';
import type { NewEvent } from '../../events/event.ts';
import { changeFeature } from '../change-feature.ts';
import { environmentOfFeature, type Feature, withFeatureEnvironment } from '../feature.ts';
import {
  featureStrategiesRemoved,
  featureStrategyAdded,
  featureSwitched,
  featureVariantsUpdated,
} from '../feature-events.ts';
import { loadFeatureIn } from '../feature-store.ts';
import type { Strategy } from '../strategies/strategy-schema.ts';
import { strategiesPerChange } from './empty-environment.ts';
import type { FeatureEnvironment } from './feature-environment.ts';
import { withoutPlan } from './feature-environment.ts';

/** The names of two environments: the source and the target of a copy. */
export interface EnvironmentCopy {
  readonly from: string;
  readonly to: string;
}

/**
 * Copies the state of a feature, archived or not, from one environment to another: strategies, with new ids, variants,
 * and the switch. Equal parts are not rewritten.
 * @returns true if anything was written.
 * @throws ApiError 404 for a feature that was deleted meanwhile.
 */
export async function copyEnvironment(
  request: FlagRequest,
  actor: Actor,
  name: string,
  copy: EnvironmentCopy,
): Promise<boolean> {
  let isChanged = false;
  while (await copyChunk(request, actor, name, copy)) isChanged = true;
  return isChanged;
}

/** Copies as much as fits into a transaction. Returns true if anything was written; then more may have to be copied. */
async function copyChunk(
  request: FlagRequest,
  actor: Actor,
  name: string,
  { from, to }: EnvironmentCopy,
): Promise<boolean> {
  const { value } = await changeFeature(request, actor, {
    name,
    likelyEvents: strategiesPerChange + 2,
    read: async () => ({ stored: await loadFeatureIn(request, name, [from, to]) }),
    decide: ({ stored }) => {
      if (stored === undefined) throw notFound('feature', name);
      const { feature } = stored;
      const before = environmentOfFeature(feature, to);
      const state = approach(withoutPlan(environmentOfFeature(feature, from)), before);
      const after = withFeatureEnvironment(feature, to, state);
      const events = buildEvents(after, to, before, state);
      return { stored, after, events, value: events.length > 0 };
    },
  });
  return value;
}

/** Returns the next state on the way to a target state: a transaction has room for a few strategies only. */
function approach(target: FeatureEnvironment, before: FeatureEnvironment): FeatureEnvironment {
  const { strategies: current } = before;
  const firstDifference = target.strategies.findIndex((strategy, index) => !isCopy(current[index], strategy));
  const equalCount = firstDifference === -1 ? target.strategies.length : firstDifference;
  const strategies =
    current.length > equalCount
      ? current.slice(0, Math.max(equalCount, current.length - strategiesPerChange))
      : [
          ...current,
          ...target.strategies
            .slice(equalCount, equalCount + strategiesPerChange)
            .map((strategy) => ({ ...strategy, id: randomUUID() })),
        ];
  return { enabled: target.enabled, variants: target.variants, strategies };
}

function isCopy(copy: Strategy | undefined, { id: _id, ...content }: Strategy): boolean {
  if (copy === undefined) return false;
  const { id: _copyId, ...copiedContent } = copy;
  return isDeepStrictEqual(copiedContent, content);
}

function buildEvents(
  feature: Feature,
  environment: string,
  before: FeatureEnvironment,
  { enabled, strategies, variants }: FeatureEnvironment,
): NewEvent[] {
  const idsOf = (list: readonly Strategy[]) => new Set(list.map(({ id }) => id));
  const [oldIds, newIds] = [idsOf(before.strategies), idsOf(strategies)];
  return [
    ...featureStrategiesRemoved(
      feature,
      environment,
      before.strategies,
      before.strategies.filter(({ id }) => !newIds.has(id)),
    ),
    ...strategies
      .filter(({ id }) => !oldIds.has(id))
      .map((strategy) => featureStrategyAdded(feature, environment, strategy)),
    ...(isDeepStrictEqual(before.variants, variants)
      ? []
      : [featureVariantsUpdated(feature, environment, before.variants)]),
    ...(before.enabled === enabled ? [] : [featureSwitched(feature, environment, enabled)]),
  ];
}
