import { invalid, notFound } from '../errors.ts';
import { stamp } from '../events/event.ts';
import { takeEventIds } from '../events/event-ids.ts';
import { serviceEventWrites } from '../events/event-items.ts';
import type { Tag } from '../schemas/tag.ts';
import { keys } from '../table/keys.ts';
import { readItem } from '../table/read.ts';
import { retrySerially } from '../table/retry.ts';
import type { Table } from '../table/table.ts';
import { requireVersion, type Versioned } from '../table/versioned.ts';
import type { Write } from '../table/write.ts';
import { newTagWrite, tagCreated } from '../tags/tag-references.ts';
import { assertMay, type Caller } from '../users/caller.ts';
import type { Feature } from './feature.ts';
import { commitFeature } from './feature-change.ts';
import { featureTagged } from './feature-events.ts';
import { loadFeatureIn } from './feature-store.ts';
import { requireLive } from './require-feature.ts';

/**
 * Adds a tag to a feature, and answers it. Adding it again changes nothing.
 * @throws ApiError 403 for a caller who may not update the feature, whether it exists or not; 404 for an unknown
 * feature; 400 for an unknown tag type; 412 for a feature that has none of the expected versions.
 */
export async function addTag(table: Table, caller: Caller, featureName: string, tag: Tag): Promise<Versioned<Tag>> {
  return retrySerially(table, [keys.feature(featureName)], async () => {
    const [found, tagType, known, ids] = await Promise.all([
      loadFeatureIn(table, featureName, []),
      readItem(table, keys.tagType(tag.type)),
      readItem(table, keys.tag(tag.type, tag.value)),
      takeEventIds(table, 2),
    ]);
    assertMay(caller, ['UPDATE_FEATURE'], found?.feature.project);
    if (found === undefined) throw notFound('feature', featureName);
    const stored = requireLive(found);
    if (tagType === undefined) throw invalid(`There is no tag type "${tag.type}".`, 'type');
    requireVersion(table, stored.revision.version, `feature "${featureName}"`);
    if (hasTag(stored.feature, tag)) return { value: tag, version: stored.revision.version };

    const after = { ...stored.feature, tags: [...stored.feature.tags, tag] };
    const change = { stored, after, events: [featureTagged(after, tag)] };
    return commitFeature(table, caller, change, ids, tag, known === undefined ? firstUse(tag, ids.last, caller) : []);
  });
}

function hasTag({ tags }: Feature, { type, value }: Tag): boolean {
  return tags.some((tag) => tag.type === type && tag.value === value);
}

/** A tag that no feature has had before becomes known, which is an event of its own. */
function firstUse(tag: Tag, eventId: number, caller: Caller): Write[] {
  return [newTagWrite(tag), ...serviceEventWrites(stamp([tagCreated(tag)], eventId, caller, new Date().toISOString()))];
}
