import { invalid, notFound } from '../errors.ts';
import { type Tag, tagsMax } from '../schemas/tag.ts';
import { keys } from '../table/keys.ts';
import { readItem } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import type { Versioned } from '../table/versioned.ts';
import { newTagWrite, tagCreated } from '../tags/tag-references.ts';
import { assertMay, type Caller } from '../users/caller.ts';
import { changeFeature } from './change-feature.ts';
import type { Feature } from './feature.ts';
import { featureTagged } from './feature-events.ts';
import { loadFeatureIn } from './feature-store.ts';
import { requireLive } from './require-feature.ts';

/**
 * Adds a tag to a feature, and answers it. Adding it again changes nothing.
 * @throws ApiError 403 for a caller who may not update the feature, whether it exists or not; 404 for an unknown
 * feature; 400 for an unknown tag type, and for one tag too many; 412 by `If-Match`.
 */
export function addTag(table: Table, caller: Caller, featureName: string, tag: Tag): Promise<Versioned<Tag>> {
  return changeFeature(table, caller, featureName, {
    likelyEvents: 2,
    read: async () => {
      const [stored, tagType, known] = await Promise.all([
        loadFeatureIn(table, featureName, []),
        readItem(table, keys.tagType(tag.type)),
        readItem(table, keys.tag(tag.type, tag.value)),
      ]);
      return { stored, tagType, known };
    },
    decide: ({ stored: found, tagType, known }) => {
      assertMay(caller, ['UPDATE_FEATURE'], found?.feature.project);
      if (found === undefined) throw notFound('feature', featureName);
      const stored = requireLive(found);
      const { feature } = stored;
      if (tagType === undefined) throw invalid(`There is no tag type "${tag.type}".`, 'type');
      if (hasTag(feature, tag)) return { stored, after: feature, events: [], value: tag };
      if (feature.tags.length >= tagsMax) throw invalid(`A feature has at most ${tagsMax} tags.`);
      // A tag that no feature has had before becomes known, which is an event of its own.
      const besides = { writes: [newTagWrite(tag)], events: [tagCreated(tag)] };
      return {
        stored,
        after: { ...feature, tags: [...feature.tags, tag] },
        events: [featureTagged(feature, tag)],
        value: tag,
        ...(known === undefined && { besides }),
      };
    },
  });
}

function hasTag({ tags }: Feature, { type, value }: Tag): boolean {
  return tags.some((tag) => tag.type === type && tag.value === value);
}
