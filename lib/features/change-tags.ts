import type { FlagRequest } from '../entity/effects.ts';
import { type ErrorDetail, invalid, invalidRequest, notFound } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import type { NewEvent } from '../events/event.ts';
import type { Caller } from '../identity/caller.ts';
import { loadProject } from '../projects/projects.ts';
import { type Request, withAllProjects } from '../request.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import { type ColoredTag, type Tag, type TagsOfFeatures, tagsMax } from '../tags/tag-schema.ts';
import { isTagKnown, newTagWrites, tagCreatedEvent, tagIdentity, tagTypes, withColors } from '../tags/tags.ts';
import { chunksOf, distinctBy } from '../values/lists.ts';
import { changeFeature } from './change-feature.ts';
import { changeFeatures, toFeatureUnit } from './change-features.ts';
import type { Feature } from './feature.ts';
import { featureTagged, featureUntagged } from './feature-events.ts';
import { loadFeatureIn, loadFeatureInWithRetry, loadRest } from './feature-store.ts';
import { requireLive, requireLiveHead, requirePermitted } from './require-feature.ts';

/** The tags that a feature receives and loses; a tag in both lists is removed. */
export interface TagChange {
  readonly added: readonly Tag[];
  readonly removed: readonly Tag[];
}

/**
 * Lists the tags of a feature, archived or not.
 * @throws ApiError 404 for an unknown feature.
 */
export async function listTagsOfFeature(request: Request, featureName: string): Promise<ColoredTag[]> {
  const [stored, types] = await Promise.all([loadFeatureInWithRetry(request, featureName, []), tagTypes.list(request)]);
  if (stored === undefined) throw notFound('feature', featureName);
  return withColors(stored.feature.tags, types);
}

/**
 * Changes the tags of a feature and returns all its tags. Adding a tag that the feature has, or removing one that it
 * lacks, does nothing.
 * @param pathOf returns the path of an added tag's type in the body.
 * @throws ApiError 403 for a caller who may not update the feature, whether it exists or not; 404 for an unknown or
 * archived feature; 400 for unknown tag types or too many tags; 412 if `If-Match` does not match.
 */
export function changeTags(
  request: FlagRequest,
  caller: Caller,
  featureName: string,
  change: TagChange,
  pathOf: (index: number) => string = () => 'type',
): Promise<Versioned<readonly ColoredTag[]>> {
  return changeFeature(request, ({ by }) => by, {
    name: featureName,
    likelyEvents: 2 * change.added.length + change.removed.length,
    read: async () => {
      const [stored, references, types] = await Promise.all([
        loadFeatureIn(request, featureName, []),
        loadTagReferences(request, change.added),
        tagTypes.list(request),
      ]);
      return { ...requirePermitted(stored, featureName, caller, 'UPDATE_FEATURE'), references, types };
    },
    decide: ({ stored: permitted, references, types }) => {
      const stored = requireLive(permitted);
      assertTagTypes(change.added, references, pathOf);
      const { after, events } = applyTagChange(stored.feature, change);
      const { project } = after;
      const isNew = (tag: Tag) => has(after, tag) && has({ tags: references.unknown }, tag);
      // The first use of a tag creates the tag, which is an event of its own.
      const created = distinctBy(change.added, tagIdentity).filter(isNew);
      return {
        stored,
        after,
        events,
        value: withColors(after.tags, types),
        sideEffects: {
          writes: created.flatMap((tag) => newTagWrites(tag, project)),
          events: created.map(tagCreatedEvent),
        },
      };
    },
  });
}

/**
 * Changes the tags of live features, each as `changeTags` does.
 * @throws ApiError 404 for the first feature that is unknown, archived or of another project; 400 for unknown tag types,
 * too many tags, or more writes than a request may have.
 */
export function changeTagsOfMany(
  request: FlagRequest,
  actor: Actor,
  projectId: string,
  { features, tags: { addedTags, removedTags } }: TagsOfFeatures,
): Promise<void> {
  const tags = { added: addedTags, removed: removedTags };
  return changeFeatures(request, actor, features, {
    read: async () => {
      const [references] = await Promise.all([loadTagReferences(request, addedTags), loadProject(request, projectId)]);
      assertTagTypes(addedTags, references, (index) => `tags.addedTags.${index}.type`);
      return references;
    },
    require: (head, name) => requireLiveHead(head, name, projectId),
    select: (heads) => heads,
    load: (head) => loadRest(request, head, []),
    decide: (_head, stored) => toFeatureUnit(request, stored, applyTagChange(stored.feature, tags)),
    likelyEvents: 2 * addedTags.length + removedTags.length,
    shared: ({ unknown }) => {
      const received = distinctBy(unknown, tagIdentity).filter((tag) => !has({ tags: removedTags }, tag));
      return [...chunksOf(received, newTagsPerStep)].map((tags) => ({
        subject: 'tags that are new',
        writes: tags.flatMap((tag) => newTagWrites(tag, projectId)),
        events: tags.map(tagCreatedEvent),
      }));
    },
  });
}

/** Number of new tags per step, so that a step leaves room for others in its transaction. */
const newTagsPerStep = 25;

/** Facts about the tags to add. */
export interface TagReferences {
  /** The ids of those tag types that exist. */
  readonly types: ReadonlySet<string>;
  /** The tags that no feature has had before. */
  readonly unknown: readonly Tag[];
}

/** Reads the facts about tags to add; calls in the same tick share one request to the store. */
export async function loadTagReferences(request: Request, tags: readonly Tag[]): Promise<TagReferences> {
  const [types, isKnown] = await Promise.all([
    tagTypes.findSome(
      request,
      tags.map(({ type }) => type),
    ),
    Promise.all(tags.map((tag) => isTagKnown(withAllProjects(request), tag))),
  ]);
  return { types: new Set(types.keys()), unknown: tags.filter((_, index) => !isKnown[index]) };
}

/** @throws ApiError 400 with all unknown tag types. */
export function assertTagTypes(tags: readonly Tag[], { types }: TagReferences, pathOf: (index: number) => string) {
  const problems = tags.flatMap(({ type }, index): ErrorDetail[] =>
    types.has(type) ? [] : [{ message: `There is no tag type "${type}".`, path: pathOf(index) }],
  );
  if (problems.length > 0) throw invalidRequest(problems);
}

/**
 * Returns the feature with changed tags, and the events.
 * @throws ApiError 400 for too many tags.
 */
export function applyTagChange(
  feature: Feature,
  { added, removed }: TagChange,
): { after: Feature; events: NewEvent[] } {
  const lost = feature.tags.filter((tag) => has({ tags: removed }, tag));
  const received = distinctBy(added, tagIdentity).filter((tag) => !has(feature, tag) && !has({ tags: removed }, tag));
  if (lost.length + received.length === 0) return { after: feature, events: [] };
  const tags = [...feature.tags.filter((tag) => !has({ tags: lost }, tag)), ...received];
  if (tags.length > tagsMax && received.length > 0) throw invalid(`A feature has at most ${tagsMax} tags.`);
  return {
    after: { ...feature, tags },
    events: [
      ...received.map((tag) => featureTagged(feature, tag)),
      ...lost.map((tag) => featureUntagged(feature, tag)),
    ],
  };
}

function has({ tags }: Pick<Feature, 'tags'>, { type, value }: Tag): boolean {
  return tags.some((tag) => tag.type === type && tag.value === value);
}
