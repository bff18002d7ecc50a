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
import { shelvesOfAll } from '../shelf/shelf.ts';

/**
 * Removes a tag that no live feature has; an archived one is revived without it. One that receives it at the same moment, or is
 * revived with it, makes it look again: whatever a feature receives is counted at the tag.
 * @throws ApiError 404 where no such tag is known; 409 that names the features that have it.
 */
export function removeTag(request: Request, actor: Actor, tag: Tag): Promise<void> {
  return change(request, actor, {
    of: [tagKeys.tag(tag.type, tag.value)],
    read: async () => {
      const known = await findTag(request, tag);
      const users = await featuresTagged(request, (each) => each.type === tag.type && each.value === tag.value);
      return [known, users] as const;
    },
    revisionOf: () => undefined,
    decide: ([known, users]) => {
      if (known === undefined) throw tagNotFoundError(tag);
      if (users.length > 0)
        throw inUseError(request, `The tag "${tag.value}" of the type "${tag.type}" is in use`, users);
      return { writes: [tagRemovalWrite(known)], events: [tagDeletedEvent(tag)], result: undefined };
    },
  });
}

/** Limit of tags that are removed in one transaction with their type. */
const tagsRemovedMax = 90;

/**
 * Removes a tag type with its tags, if no live feature has one of them.
 * @throws ApiError 404 for an unknown one; 409 that names the features that have such tags; 400 where more tags are known
 * than can be removed with it; 412 by `If-Match`.
 */
export function removeTagType(request: Request, actor: Actor, name: string): Promise<void> {
  const made = tagKeys.tagsEverCreated(name);
  return change(request, actor, {
    of: [tagTypes.keyOf(name)],
    read: async () => {
      const [before, count] = await Promise.all([
        tagTypes.load(request, name),
        readItem<{ readonly amount: number }>(request, made),
      ]);
      // After their count: a tag that is created in between is either listed or changes the count.
      const tags = await listKnownTags(withAllProjects(request), name);
      const users = await featuresTagged(request, ({ type }) => type === name);
      return [before, count, tags, users] as const;
    },
    revisionOf: ([before]) => before,
    decide: ([before, count, tags, users]) => {
      if (users.length > 0) throw inUseError(request, `Tags of the type "${name}" are in use`, users);
      if (tags.length > tagsRemovedMax) {
        throw invalid(
          `${tags.length} tags of the type "${name}" are known, and ${tagsRemovedMax} go with it; delete some first.`,
        );
      }
      const { writes, events } = tagTypes.removed(before);
      return {
        writes: [...writes, { remove: made, when: { amount: count?.amount ?? 0 } }, ...tags.map(tagRemovalWrite)],
        events,
        result: undefined,
      };
    },
  });
}

/**
 * Returns the live features that have tags. Read the counts at the tags first: a feature that receives one later raises its
 * count, and the removal starts anew.
 */
async function featuresTagged(request: Request, isMeant: (tag: Tag) => boolean): Promise<Referrer[]> {
  const shelves = await shelvesOfAll(request);
  return shelves.flatMap(({ features }) =>
    [...features.values()]
      .filter(({ feature }) => feature.archivedAt === null && feature.tags.some(isMeant))
      .map(({ feature: { name, project } }) => ({ by: name, name: `the feature "${name}"`, details: { project } })),
  );
}
