import type { FlagRequest } from '../../entity/step.ts';
import { notFound } from '../../errors.ts';
import type { Actor } from '../../events/actor.ts';
import type { Request } from '../../request.ts';
import { type Segment, segments, segmentView } from '../../segments/segments.ts';
import type { Versioned } from '../../store/transactions/versioned.ts';
import { changeFeature } from '../change-feature.ts';
import { planUpdateStrategy } from '../strategies/change-strategies.ts';
import type { StrategyView } from '../strategies/strategy-schema.ts';
import { featuresUsing, findStrategy, type Usage, usageOf } from './uses.ts';

/** Lists all segments by name, with the number of live features that use them. */
export async function listSegments(request: Request): Promise<(Segment & Usage)[]> {
  const [all, usage] = await Promise.all([segments.list(request), usageOf(request, (summary) => summary.segments)]);
  const sorted = all.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return sorted.map((segment) => ({ ...segmentView(segment), ...usage(segment.id) }));
}

/** Returns the segments that a strategy of a live feature uses, in its order; none of a strategy that is unknown. */
export async function segmentsOfStrategy(request: Request, strategyId: string): Promise<Segment[]> {
  const uses = await featuresUsing(request, ({ segments: used = [] }) => used.length > 0);
  const found = await findStrategy(request, uses, strategyId);
  const ids = found?.strategy.segments ?? [];
  const known = await segments.some(request, ids);
  return ids.flatMap((id) => known.get(id) ?? []).map(segmentView);
}

/** Segments that a strategy is to use, where its feature is not named. */
export interface StrategySegments {
  readonly projectId: string;
  readonly environmentId: string;
  readonly strategyId: string;
  readonly segmentIds: readonly number[];
}

/**
 * Replaces the segments of a strategy, of which the caller does not name the feature.
 * @throws ApiError 404 where no live feature of the project has the strategy in the environment, and as `planUpdateStrategy`.
 */
export async function setSegments(
  request: FlagRequest,
  actor: Actor,
  { projectId, environmentId, strategyId, segmentIds }: StrategySegments,
): Promise<Versioned<StrategyView>> {
  const hasSome = ({ strategies }: { readonly strategies: number }, name: string) =>
    strategies > 0 && name === environmentId;
  const uses = await featuresUsing(request, hasSome, [projectId]);
  const inEnvironment = uses.map((use) => ({ ...use, environments: [environmentId] }));
  const found = await findStrategy(request, inEnvironment, strategyId);
  if (found === undefined)
    throw notFound(`strategy in the environment "${environmentId.slice(0, 100)}" with the id`, strategyId);
  return changeFeature(request, actor, planUpdateStrategy(request, found.place, { segments: [...segmentIds] }));
}
