import type { NewEvent } from '../../events/event.ts';
import { type Request, withAllProjects } from '../../request.ts';
import { type Segment, segments } from '../../segments/segments.ts';
import { isBuiltIn, strategyTypes } from '../../strategy-types/strategy-types.ts';
import { loadKnownTags, tagIdentity } from '../../tags/tags.ts';
import { decideSwitchOff } from '../environments/switch-feature.ts';
import type { Feature, FeatureEnvironment } from '../feature.ts';
import { featureStrategyRemoved, featureStrategyUpdated, featureUntagged } from '../feature-events.ts';

/** The things that an archived feature names and that are there. */
export interface Present {
  readonly segments: ReadonlyMap<number, Pick<Segment, 'project'>>;
  readonly strategyTypes: ReadonlyMap<string, unknown>;
  readonly tags: ReadonlySet<string>;
}

/** Reads which of the things are there that a feature, read with all its environments, names. */
export async function loadPresent(request: Request, { environments, tags }: Feature): Promise<Present> {
  const strategies = [...environments.values()].flatMap((state) => state.strategies);
  const ours = withAllProjects(request);
  const [found, types, known] = await Promise.all([
    segments.some(
      ours,
      strategies.flatMap((strategy) => strategy.segments),
    ),
    strategyTypes.some(
      ours,
      strategies.map(({ name }) => name).filter((name) => !isBuiltIn(name)),
    ),
    loadKnownTags(ours, tags),
  ]);
  return { segments: found, strategyTypes: types, tags: known };
}

/**
 * Returns a feature without the segments, strategy types and tags that are gone since it was archived. It is off in the
 * environments in which it does something else then.
 */
export function dropMissing(
  feature: Feature,
  present: Present,
): { readonly after: Feature; readonly events: readonly NewEvent[] } {
  const states = [...feature.environments].map(([name, state]) => ({
    name,
    ...withoutMissing(feature, name, state, present),
  }));
  const tags = feature.tags.filter((tag) => present.tags.has(tagIdentity(tag)));
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

function withoutMissing(feature: Feature, environment: string, state: FeatureEnvironment, present: Present) {
  const isThere = (id: number) => {
    const segment = present.segments.get(id);
    return segment !== undefined && (segment.project ?? feature.project) === feature.project;
  };
  const events: NewEvent[] = [];
  const strategies = state.strategies.flatMap((strategy) => {
    if (!isBuiltIn(strategy.name) && !present.strategyTypes.has(strategy.name)) {
      events.push(featureStrategyRemoved(feature, environment, strategy));
      return [];
    }
    if (strategy.segments.every(isThere)) return [strategy];
    const after = { ...strategy, segments: strategy.segments.filter(isThere) };
    events.push(featureStrategyUpdated(feature, environment, strategy, after));
    return [after];
  });
  if (events.length === 0) return { state, events };
  const off = decideSwitchOff(feature, environment, { ...state, strategies });
  return { state: off.state, events: [...events, ...off.events] };
}
