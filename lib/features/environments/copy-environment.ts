import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { FlagRequest } from '../../entity/effects.ts';
import { notFound } from '../../errors.ts';
import type { Actor } from '../../events/actor.ts';
import type { NewEvent } from '../../events/event.ts';
import { changeFeature } from '../change-feature.ts';
import { environmentOfFeature, type Feature, type FeatureEnvironment, withFeatureEnvironment } from '../feature.ts';
import {
  featureStrategyAdded,
  featureStrategyRemoved,
  featureSwitched,
  featureVariantsUpdated,
} from '../feature-events.ts';
import { loadFeatureIn } from '../feature-store.ts';
import type { Strategy } from '../strategies/strategy-schema.ts';
import { strategiesTogether } from './empty-environment.ts';

/** From where to where features are copied. */
export interface EnvironmentCopy {
  readonly from: string;
  readonly to: string;
}

/**
 * Makes a feature, archived or not, the same in one environment as it is in another: its strategies, with ids of their
 * own, its variants, and its switch. Equal parts are not rewritten.
 * @returns true if anything was written.
 * @throws ApiError 404 for a feature that has been deleted meanwhile.
 */
export async function copyEnvironment(
  request: FlagRequest,
  actor: Actor,
  name: string,
  copy: EnvironmentCopy,
): Promise<boolean> {
  let isChanged = false;
  while (await copySome(request, actor, name, copy)) isChanged = true;
  return isChanged;
}

/** Returns true if anything was written; then more may be left. */
async function copySome(
  request: FlagRequest,
  actor: Actor,
  name: string,
  { from, to }: EnvironmentCopy,
): Promise<boolean> {
  const { value } = await changeFeature(request, actor, {
    name,
    likelyEvents: strategiesTogether + 2,
    read: async () => ({ stored: await loadFeatureIn(request, name, [from, to]) }),
    decide: ({ stored }) => {
      if (stored === undefined) throw notFound('feature', name);
      const { feature } = stored;
      const before = environmentOfFeature(feature, to);
      const state = closerTo(environmentOfFeature(feature, from), before);
      const after = withFeatureEnvironment(feature, to, state);
      const events = eventsOf(after, to, before, state);
      return { stored, after, events, value: events.length > 0 };
    },
  });
  return value;
}

/**
 * Returns the next state on the way to that of another environment: a transaction has room for some strategies only.
 */
function closerTo(wanted: FeatureEnvironment, before: FeatureEnvironment): FeatureEnvironment {
  const { strategies: known } = before;
  const same = wanted.strategies.findIndex((strategy, index) => !isCopy(known[index], strategy));
  const common = same === -1 ? wanted.strategies.length : same;
  const strategies =
    known.length > common
      ? known.slice(0, Math.max(common, known.length - strategiesTogether))
      : [
          ...known,
          ...wanted.strategies
            .slice(common, common + strategiesTogether)
            .map((strategy) => ({ ...strategy, id: randomUUID() })),
        ];
  return { enabled: wanted.enabled, variants: wanted.variants, strategies };
}

function isCopy(copy: Strategy | undefined, { id: _id, ...content }: Strategy): boolean {
  if (copy === undefined) return false;
  const { id: _copyId, ...copied } = copy;
  return isDeepStrictEqual(copied, content);
}

function eventsOf(
  feature: Feature,
  environment: string,
  before: FeatureEnvironment,
  { enabled, strategies, variants }: FeatureEnvironment,
): NewEvent[] {
  const [old, next] = [before.strategies, strategies].map((all) => new Set(all.map(({ id }) => id)));
  return [
    ...before.strategies
      .filter(({ id }) => !next?.has(id))
      .map((strategy) => featureStrategyRemoved(feature, environment, strategy)),
    ...strategies
      .filter(({ id }) => !old?.has(id))
      .map((strategy) => featureStrategyAdded(feature, environment, strategy)),
    ...(isDeepStrictEqual(before.variants, variants)
      ? []
      : [featureVariantsUpdated(feature, environment, before.variants)]),
    ...(before.enabled === enabled ? [] : [featureSwitched(feature, environment, enabled)]),
  ];
}
