import { change } from '../../entity/change.ts';
import type { Referrer } from '../../entity/references.ts';
import { inUseError } from '../../entity/references.ts';
import { invalid } from '../../errors.ts';
import type { Actor } from '../../events/actor.ts';
import { type Request, withAllProjects } from '../../request.ts';
import { readItem } from '../../store/read.ts';
import * as tagKeys from '../../tags/keys.ts';
import type { Tag } from '../../tags/tag-schema.ts';
import {
  findTag,
  listKnownTags,
  tagDeletedEvent,
  tagNotFoundError,
  tagRemovalWrite,
  tagTypes,
} from '../../tags/tags.ts';
import { loadAllReadModels } from '../read-model/read-model.ts';

/**
 * Removes a tag that no live feature has. Archived features with the tag lose it when they are revived. If a feature
 * receives the tag at the same moment, the removal starts again: the tag's item counts how often features received it.
 * @throws ApiError 404 for an unknown tag; 409 with the features that have it.
 */
export function removeTag(request: Request, actor: Actor, tag: Tag): Promise<void> {
  return change(request, actor, {
    items: [tagKeys.tag(tag.type, tag.value)],
    read: async () => {
      const stored = await findTag(request, tag);
      const users = await findTaggedFeatures(request, ({ type, value }) => type === tag.type && value === tag.value);
      return [stored, users] as const;
    },
    revisionOf: () => undefined,
    decide: ([stored, users]) => {
      if (stored === undefined) throw tagNotFoundError(tag);
      if (users.length > 0)
        throw inUseError(request, `The tag "${tag.value}" of the type "${tag.type}" is in use`, users);
      return { writes: [tagRemovalWrite(stored)], events: [tagDeletedEvent(tag)], result: undefined };
    },
  });
}

/** The most tags that can be removed in one transaction with their type. */
const tagsRemovedMax = 90;

/**
 * Removes a tag type with its tags, if no live feature has one of them.
 * @throws ApiError 404 for an unknown tag type; 409 with the features that have its tags; 400 for more tags than fit into
 * the transaction; 412 if `If-Match` does not match.
 */
export function removeTagType(request: Request, actor: Actor, name: string): Promise<void> {
  const countKey = tagKeys.tagsEverCreated(name);
  return change(request, actor, {
    items: [tagTypes.keyOf(name)],
    read: async () => {
      const [before, count] = await Promise.all([
        tagTypes.load(request, name),
        readItem<{ readonly amount: number }>(request, countKey),
      ]);
      // Read after the count: a tag that is created in between is either listed or changes the count.
      const tags = await listKnownTags(withAllProjects(request), name);
      const users = await findTaggedFeatures(request, ({ type }) => type === name);
      return [before, count, tags, users] as const;
    },
    revisionOf: ([before]) => before,
    decide: ([before, count, tags, users]) => {
      if (users.length > 0) throw inUseError(request, `Tags of the type "${name}" are in use`, users);
      if (tags.length > tagsRemovedMax) {
        throw invalid(
          `The type "${name}" has ${tags.length} tags, and at most ${tagsRemovedMax} can be deleted with it; delete some of them first.`,
        );
      }
      const { writes, events } = tagTypes.buildRemovalEffects(before);
      return {
        writes: [...writes, { remove: countKey, when: { amount: count?.amount ?? 0 } }, ...tags.map(tagRemovalWrite)],
        events,
        result: undefined,
      };
    },
  });
}

/**
 * Finds the live features with matching tags. The tags and their counts must be read before: a feature that receives a
 * tag later raises the count, and the removal starts again.
 */
async function findTaggedFeatures(request: Request, isMatch: (tag: Tag) => boolean): Promise<Referrer[]> {
  const readModels = await loadAllReadModels(request);
  return readModels.flatMap(({ features }) =>
    [...features.values()]
      .filter(({ feature }) => feature.archivedAt === null && feature.tags.some(isMatch))
      .map(({ feature: { name, project } }) => ({ by: name, name: `the feature "${name}"`, details: { project } })),
  );
}
