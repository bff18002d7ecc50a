import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Actor } from '../events/actor.ts';
import type { NewEvent } from '../events/event.ts';
import { listLiveStrategies } from '../features/environments/feature-environment.ts';
import { startWaitingPlan } from '../features/environments/switch-feature.ts';
import { buildNewFeature, environmentOfFeature, type Feature, withFeatureEnvironment } from '../features/feature.ts';
import * as events from '../features/feature-events.ts';
import { applyFeatureUpdate, hasSameMetadata } from '../features/items/apply-feature-update.ts';
import type { StoredFeature } from '../features/items/feature-items.ts';
import type { FeatureChange } from '../features/items/feature-writes.ts';
import { replaceStrategies, type WantedStrategy } from '../features/strategies/replace-strategies.ts';
import { nextSortOrder } from '../features/strategies/strategy.ts';
import type { WantedFeature } from './wanted-feature.ts';

/** The project and environment of an import, its actor and its time. */
export interface ImportContext {
  readonly project: string;
  readonly environment: string;
  readonly actor: Actor;
  readonly at: string;
  /** True to make only the changes that need no approval. */
  readonly isFreeOnly?: boolean;
}

/** A feature after some of the changes, with their events. */
interface Progress {
  readonly feature: Feature;
  readonly events: readonly NewEvent[];
}

type Change = (progress: Progress, wanted: WantedFeature, context: ImportContext) => Progress;

/** The changes in the order of Unleash's events. */
const changes: readonly Change[] = [
  applyVariants,
  applyTags,
  applyPlanStart,
  applyStrategies,
  applyEnabled,
  applyDependencies,
  applyLinks,
];

/** The changes that SDKs do not see. */
const freeChanges: readonly Change[] = [applyTags, applyLinks];

/**
 * Builds the change of one feature: its creation, or an update; undefined if the feature is as the file describes it.
 */
export function importFeature(
  stored: StoredFeature | undefined,
  wanted: WantedFeature,
  context: ImportContext,
): FeatureChange | undefined {
  let progress = stored === undefined ? create(wanted, context) : applyFields(stored.feature, wanted, context);
  for (const apply of context.isFreeOnly ? freeChanges : changes) progress = apply(progress, wanted, context);
  const { feature: after, events } = progress;
  return events.length === 0 ? undefined : { stored, after, events };
}

function create({ fields }: WantedFeature, { project, actor, at }: ImportContext): Progress {
  const { archived, ...own } = fields;
  const feature = buildNewFeature({
    ...own,
    project,
    createdAt: at,
    createdBy: actor,
    archivedAt: archived ? at : null,
  });
  return { feature, events: events.featureCreated(feature) };
}

function applyFields(before: Feature, { fields }: WantedFeature, { at, isFreeOnly }: ImportContext): Progress {
  const { archived: _archived, ...free } = fields;
  const after = applyFeatureUpdate(before, isFreeOnly ? free : fields, at);
  return hasSameMetadata(before, after)
    ? { feature: before, events: [] }
    : { feature: after, events: events.featureMetadataUpdated(before, after) };
}

function applyVariants(progress: Progress, { variants }: WantedFeature, { environment }: ImportContext): Progress {
  const { feature } = progress;
  const state = environmentOfFeature(feature, environment);
  if (variants === undefined || isDeepStrictEqual(variants, state.variants)) return progress;
  const after = withFeatureEnvironment(feature, environment, { ...state, variants });
  return advance(progress, after, [events.featureVariantsUpdated(after, environment, state.variants)]);
}

function applyTags(progress: Progress, { tags }: WantedFeature): Progress {
  if (tags === undefined) return progress;
  const has = (list: Feature['tags'], { type, value }: Feature['tags'][number]) =>
    list.some((tag) => tag.type === type && tag.value === value);
  const removed = progress.feature.tags.filter((tag) => !has(tags, tag));
  const added = tags.filter((tag) => !has(progress.feature.tags, tag));
  let next = progress;
  for (const tag of removed) {
    const after = { ...next.feature, tags: next.feature.tags.filter((other) => other !== tag) };
    next = advance(next, after, [events.featureUntagged(after, tag)]);
  }
  for (const tag of added) {
    const after = { ...next.feature, tags: [...next.feature.tags, tag] };
    next = advance(next, after, [events.featureTagged(after, tag)]);
  }
  return next;
}

/** Starts a plan that waited until the feature is switched on. The file says nothing about plans, so they stay. */
function applyPlanStart(progress: Progress, { enabled }: WantedFeature, { environment, at }: ImportContext): Progress {
  if (!enabled) return progress;
  const { feature } = progress;
  const started = startWaitingPlan(feature, environment, environmentOfFeature(feature, environment), at);
  if (started.events.length === 0) return progress;
  return advance(progress, withFeatureEnvironment(feature, environment, started.state), started.events);
}

/** Replaces the feature's own strategies; those of a plan's milestones stay. */
function applyStrategies(progress: Progress, wanted: WantedFeature, { environment }: ImportContext): Progress {
  const { feature } = progress;
  const state = environmentOfFeature(feature, environment);
  const isServedByPlan = listLiveStrategies({ ...state, strategies: [] }).some(({ disabled }) => !disabled);
  const needsStrategy = (wanted.enabled ?? state.enabled) && !isServedByPlan;
  const list = listWantedStrategies(wanted, needsStrategy);
  const { strategies, removed, added, moved } = replaceStrategies(state.strategies, list);
  if (removed.length + added.length === 0 && !moved) return progress;
  const after = withFeatureEnvironment(feature, environment, { ...state, strategies });
  return advance(progress, after, [
    ...events.featureStrategiesRemoved(after, environment, state.strategies, removed),
    ...added.map((strategy) => events.featureStrategyAdded(after, environment, strategy)),
    ...(moved ? [events.featureStrategiesReordered(after, environment, state.strategies, strategies)] : []),
  ]);
}

/** Returns the strategies of the file. If none of them is enabled but one is needed, the default one comes at the end. */
function listWantedStrategies(
  { strategies, defaultStrategy }: WantedFeature,
  needsStrategy: boolean,
): WantedStrategy[] {
  const list = strategies.map(({ sortOrder, ...content }) => ({ sortOrder, content }));
  if (!needsStrategy || strategies.some(({ disabled }) => !disabled)) return list;
  return [...list, { content: defaultStrategy, sortOrder: nextSortOrder(strategies) }];
}

function applyEnabled(progress: Progress, { enabled }: WantedFeature, { environment }: ImportContext): Progress {
  const { feature } = progress;
  const state = environmentOfFeature(feature, environment);
  if (enabled === undefined || enabled === state.enabled) return progress;
  const after = withFeatureEnvironment(feature, environment, { ...state, enabled });
  return advance(progress, after, [events.featureSwitched(after, environment, enabled)]);
}

/** Adds and replaces dependencies. Those that the file does not name stay. */
function applyDependencies(progress: Progress, { dependencies }: WantedFeature): Progress {
  let next = progress;
  for (const dependency of dependencies) {
    const before = next.feature.dependencies.find(({ feature }) => feature === dependency.feature);
    if (isDeepStrictEqual(before, dependency)) continue;
    const others = next.feature.dependencies.filter((other) => other !== before);
    const after = { ...next.feature, dependencies: [...others, dependency] };
    next = advance(next, after, [events.featureDependencyAdded(next.feature, dependency)]);
  }
  return next;
}

/** Replaces the links. An unchanged link keeps its id, also if the feature has it more than once. */
function applyLinks(progress: Progress, { links }: WantedFeature): Progress {
  if (links === undefined) return progress;
  const { feature } = progress;
  const removed = [...feature.links];
  const next = links.map((link) => {
    const index = removed.findIndex(({ url, title }) => url === link.url && title === link.title);
    const [before] = index === -1 ? [] : removed.splice(index, 1);
    return before ?? { id: randomUUID(), ...link };
  });
  const after = { ...feature, links: next };
  const added = next.filter((link) => !feature.links.includes(link));
  return advance(progress, after, [
    ...removed.map((link) => events.featureLinkRemoved(after, link)),
    ...added.map((link) => events.featureLinkAdded(after, link)),
  ]);
}

function advance(progress: Progress, feature: Feature, newEvents: readonly NewEvent[]): Progress {
  return { feature, events: [...progress.events, ...newEvents] };
}
