import type { NewEvent } from '../../events/event.ts';
import { type Request, withAllProjects } from '../../request.ts';
import { type Segment, segments } from '../../segments/segments.ts';
import { isBuiltIn, strategyTypes } from '../../strategy-types/strategy-types.ts';
import { loadKnownTags, tagIdentity } from '../../tags/tags.ts';
import type { FeatureEnvironment } from '../environments/feature-environment.ts';
import { listAllStrategies } from '../environments/feature-environment.ts';
import { decideSwitchOff } from '../environments/switch-feature.ts';
import type { Feature } from '../feature.ts';
import { featureStrategiesRemoved, featureStrategyUpdated, featureUntagged } from '../feature-events.ts';
import { planPaused } from '../plans/plan-events.ts';
import { pausePlan, standsStill } from '../plans/release-plan.ts';
import type { Strategy } from '../strategies/strategy-schema.ts';

/** The things to which an archived feature refers and that still exist. */
export interface ExistingReferences {
  readonly segments: ReadonlyMap<number, Pick<Segment, 'project'>>;
  readonly strategyTypes: ReadonlyMap<string, unknown>;
  readonly tags: ReadonlySet<string>;
}

/** Reads which things exist to which a feature refers; the feature must have been read with all its environments. */
export async function loadExistingReferences(
  request: Request,
  { environments, tags }: Feature,
): Promise<ExistingReferences> {
  const strategies = [...environments.values()].flatMap(listAllStrategies);
  const systemRequest = withAllProjects(request);
  const [usedSegments, types, knownTags] = await Promise.all([
    segments.findSome(
      systemRequest,
      strategies.flatMap((strategy) => strategy.segments),
    ),
    strategyTypes.findSome(
      systemRequest,
      strategies.map(({ name }) => name).filter((name) => !isBuiltIn(name)),
    ),
    loadKnownTags(systemRequest, tags),
  ]);
  return { segments: usedSegments, strategyTypes: types, tags: knownTags };
}

/**
 * Removes the references of a feature to segments, strategy types and tags that were deleted while it was archived. The
 * feature is off in each environment where its strategies change. A plan is paused if those of its milestones change: without a
 * segment, a later milestone could reach more users than anybody expects.
 */
export function dropMissingReferences(
  feature: Feature,
  existing: ExistingReferences,
  at: string,
): { readonly after: Feature; readonly events: readonly NewEvent[] } {
  const states = [...feature.environments].map(([name, state]) => ({
    name,
    ...dropFromEnvironment(feature, name, state, existing, at),
  }));
  const tags = feature.tags.filter((tag) => existing.tags.has(tagIdentity(tag)));
  const untagged = feature.tags.filter((tag) => !tags.includes(tag));
  return {
    after: {
      ...feature,
      ...(untagged.length > 0 && { tags }),
      environments: new Map(states.map(({ name, state }) => [name, state])),
    },
    events: [...untagged.map((tag) => featureUntagged(feature, tag)), ...states.flatMap(({ events }) => events)],
  };
}

function dropFromEnvironment(
  feature: Feature,
  environment: string,
  state: FeatureEnvironment,
  existing: ExistingReferences,
  at: string,
) {
  const isUsable = (id: number) => {
    const segment = existing.segments.get(id);
    return segment !== undefined && (segment.project ?? feature.project) === feature.project;
  };
  const events: NewEvent[] = [];
  const dropFrom = (list: readonly Strategy[], milestoneId?: string) => {
    let left = list;
    return list.flatMap((strategy) => {
      if (!isBuiltIn(strategy.name) && !existing.strategyTypes.has(strategy.name)) {
        const milestone = milestoneId === undefined ? {} : { milestoneId };
        events.push(...featureStrategiesRemoved(feature, environment, left, [strategy], milestone));
        left = left.filter((other) => other !== strategy);
        return [];
      }
      if (strategy.segments.every(isUsable)) return [strategy];
      const after = { ...strategy, segments: strategy.segments.filter(isUsable) };
      events.push(featureStrategyUpdated(feature, environment, strategy, after));
      return [after];
    });
  };
  const strategies = dropFrom(state.strategies);
  const ownCount = events.length;
  const milestones = state.plan?.milestones.map((milestone) => ({
    ...milestone,
    strategies: dropFrom(milestone.strategies, milestone.id),
  }));
  if (events.length === 0) return { state, events };
  let { plan } = state;
  if (plan !== undefined && milestones !== undefined && events.length > ownCount) {
    if (!standsStill(plan)) events.push(planPaused(feature, environment, plan));
    plan = pausePlan({ ...plan, milestones }, at);
  }
  const switchOff = decideSwitchOff(feature, environment, { ...state, strategies, ...(plan && { plan }) });
  return { state: switchOff.state, events: [...events, ...switchOff.events] };
}
