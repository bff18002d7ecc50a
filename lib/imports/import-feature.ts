import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Actor } from '../events/actor.ts';
import type { NewEvent } from '../events/event.ts';
import { buildNewFeature, environmentOfFeature, type Feature, withFeatureEnvironment } from '../features/feature.ts';
import * as events from '../features/feature-events.ts';
import { applyFeatureUpdate, hasSameMetadata } from '../features/items/apply-feature-update.ts';
import type { StoredFeature } from '../features/items/feature-items.ts';
import type { FeatureChange } from '../features/items/feature-writes.ts';
import { replaceStrategies, type WantedStrategy } from '../features/strategies/replace-strategies.ts';
import { nextSortOrder } from '../features/strategies/strategy.ts';
import type { WantedFeature } from './wanted-feature.ts';

/** Target of an import, its actor and its time. */
export interface ImportPlace {
  readonly project: string;
  readonly environment: string;
  readonly actor: Actor;
  readonly at: string;
  /** True if only that is wanted which needs no approval. */
  readonly isFreeOnly?: boolean;
}

/** A feature under way from what it was to what is wanted, with the events so far. */
interface Progress {
  readonly feature: Feature;
  readonly events: readonly NewEvent[];
}

type Step = (progress: Progress, wanted: WantedFeature, place: ImportPlace) => Progress;

/** The steps in the order of Unleash's events. */
const steps: readonly Step[] = [applyVariants, applyTags, applyStrategies, applyEnabled, applyDependencies, applyLinks];

/** The steps that change nothing for SDKs. */
const freeSteps: readonly Step[] = [applyTags, applyLinks];

/**
 * Returns the change that an import makes to one feature: its creation, or an update where the file differs. Undefined
 * where nothing differs.
 */
export function importFeature(
  stored: StoredFeature | undefined,
  wanted: WantedFeature,
  place: ImportPlace,
): FeatureChange | undefined {
  const begun = stored === undefined ? create(wanted, place) : applyFields(stored.feature, wanted, place);
  const done = (place.isFreeOnly ? freeSteps : steps).reduce((progress, step) => step(progress, wanted, place), begun);
  return done.events.length === 0 ? undefined : { stored, after: done.feature, events: done.events };
}

function create({ fields }: WantedFeature, { project, actor, at }: ImportPlace): Progress {
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

function applyFields(before: Feature, { fields }: WantedFeature, { at, isFreeOnly }: ImportPlace): Progress {
  const { archived: _archived, ...free } = fields;
  const after = applyFeatureUpdate(before, isFreeOnly ? free : fields, at);
  return hasSameMetadata(before, after)
    ? { feature: before, events: [] }
    : { feature: after, events: events.featureMetadataUpdated(before, after) };
}

function applyVariants(progress: Progress, { variants }: WantedFeature, { environment }: ImportPlace): Progress {
  const { feature } = progress;
  const state = environmentOfFeature(feature, environment);
  if (variants === undefined || isDeepStrictEqual(variants, state.variants)) return progress;
  const after = withFeatureEnvironment(feature, environment, { ...state, variants });
  return advanced(progress, after, [events.featureVariantsUpdated(after, environment, state.variants)]);
}

function applyTags(progress: Progress, { tags }: WantedFeature): Progress {
  if (tags === undefined) return progress;
  const has = (list: Feature['tags'], { type, value }: Feature['tags'][number]) =>
    list.some((tag) => tag.type === type && tag.value === value);
  const removed = progress.feature.tags.filter((tag) => !has(tags, tag));
  const added = tags.filter((tag) => !has(progress.feature.tags, tag));
  const without = removed.reduce((each, tag) => {
    const after = { ...each.feature, tags: each.feature.tags.filter((other) => other !== tag) };
    return advanced(each, after, [events.featureUntagged(after, tag)]);
  }, progress);
  return added.reduce((each, tag) => {
    const after = { ...each.feature, tags: [...each.feature.tags, tag] };
    return advanced(each, after, [events.featureTagged(after, tag)]);
  }, without);
}

function applyStrategies(progress: Progress, wanted: WantedFeature, { environment }: ImportPlace): Progress {
  const { feature } = progress;
  const state = environmentOfFeature(feature, environment);
  const list = wantedStrategies(wanted, wanted.enabled ?? state.enabled);
  const { strategies, removed, added, moved } = replaceStrategies(state.strategies, list);
  if (removed.length + added.length === 0 && !moved) return progress;
  const after = withFeatureEnvironment(feature, environment, { ...state, strategies });
  return advanced(progress, after, [
    ...removed.map((strategy) => events.featureStrategyRemoved(after, environment, strategy)),
    ...added.map((strategy) => events.featureStrategyAdded(after, environment, strategy)),
    ...(moved ? [events.featureStrategiesReordered(after, environment, state.strategies, strategies)] : []),
  ]);
}

/** A feature that is on does something: without an enabled strategy it gets the default one, after all others. */
function wantedStrategies({ strategies, defaultStrategy }: WantedFeature, isOn: boolean): WantedStrategy[] {
  const list = strategies.map(({ sortOrder, ...content }) => ({ sortOrder, content }));
  if (!isOn || strategies.some(({ disabled }) => !disabled)) return list;
  return [...list, { content: defaultStrategy, sortOrder: nextSortOrder(strategies) }];
}

function applyEnabled(progress: Progress, { enabled }: WantedFeature, { environment }: ImportPlace): Progress {
  const { feature } = progress;
  const state = environmentOfFeature(feature, environment);
  if (enabled === undefined || enabled === state.enabled) return progress;
  const after = withFeatureEnvironment(feature, environment, { ...state, enabled });
  return advanced(progress, after, [events.featureSwitched(after, environment, enabled)]);
}

/** Dependencies that the file does not name stay. */
function applyDependencies(progress: Progress, { dependencies }: WantedFeature): Progress {
  return dependencies.reduce((each, dependency) => {
    const others = each.feature.dependencies.filter(({ feature }) => feature !== dependency.feature);
    const known = each.feature.dependencies.find(({ feature }) => feature === dependency.feature);
    if (isDeepStrictEqual(known, dependency)) return each;
    const after = { ...each.feature, dependencies: [...others, dependency] };
    return advanced(each, after, [events.featureDependencyAdded(after, dependency)]);
  }, progress);
}

/** A link that is the same keeps its id, however often it is there. */
function applyLinks(progress: Progress, { links }: WantedFeature): Progress {
  if (links === undefined) return progress;
  const { feature } = progress;
  const left = [...feature.links];
  const kept = links.map((link) => {
    const index = left.findIndex(({ url, title }) => url === link.url && title === link.title);
    return { link, before: index === -1 ? undefined : left.splice(index, 1)[0] };
  });
  const next = kept.map(({ link, before }) => before ?? { id: randomUUID(), ...link });
  const after = { ...feature, links: next };
  const added = next.filter((link) => !feature.links.includes(link));
  return advanced(progress, after, [
    ...left.map((link) => events.featureLinkRemoved(after, link)),
    ...added.map((link) => events.featureLinkAdded(after, link)),
  ]);
}

function advanced(progress: Progress, feature: Feature, more: readonly NewEvent[]): Progress {
  return { feature, events: [...progress.events, ...more] };
}
