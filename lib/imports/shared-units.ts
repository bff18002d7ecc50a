import { contextFieldItem } from '../context-fields/context-field.ts';
import { CountChanges } from '../environments/environment-counts.ts';
import { mapAll } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import { type NewEvent, stamp } from '../events/event.ts';
import { serviceEventWrites } from '../events/event-items.ts';
import type { CountedUnit } from '../features/commit-features.ts';
import type { ExportData } from '../schemas/import-data.ts';
import { assertFits } from '../table/item.ts';
import { keys } from '../table/keys.ts';
import type { Write } from '../table/write.ts';
import { newTagWrite, tagCreated } from '../tags/tag-references.ts';
import { tagTypeItem } from '../tags/tag-type.ts';
import { type ImportReferences, tagKey } from './import-references.ts';
import { tagOf } from './wanted-feature.ts';

/** A thing that features share and that the file brings along: the write that creates it, and its event. */
export interface SharedCreation {
  readonly what: string;
  readonly write: Write;
  readonly event: NewEvent;
}

/** The tag types, context fields and tags of the file that are new here. */
export function sharedCreations(data: ExportData, references: ImportReferences, at: string): SharedCreation[] {
  return [...newTagTypes(data, references), ...newTags(data, references), ...newContextFields(data, references, at)];
}

function newTagTypes({ tagTypes }: ExportData, references: ImportReferences): SharedCreation[] {
  return mapAll(
    distinct(tagTypes).filter(({ name }) => !references.tagTypes.has(name)),
    (tagType) => {
      const what = `tag type "${tagType.name}"`;
      const item = { ...tagTypeItem(tagType) };
      assertFits(item, what);
      return {
        what,
        write: { put: keys.tagType(tagType.name), item, when: 'absent' },
        event: { type: 'tag-type-created', data: item },
      };
    },
  );
}

function newContextFields({ contextFields }: ExportData, references: ImportReferences, at: string): SharedCreation[] {
  return mapAll(
    distinct(contextFields).filter(({ name }) => !references.contextFields.has(name)),
    (field) => {
      const what = `context field "${field.name}"`;
      const item = { ...contextFieldItem(field, at) };
      assertFits(item, what);
      return {
        what,
        write: { put: keys.contextField(field.name), item, when: 'absent' },
        event: { type: 'context-field-created', data: { ...item, legalValues: field.legalValues ?? [] } },
      };
    },
  );
}

function newTags({ featureTags = [] }: ExportData, references: ImportReferences): SharedCreation[] {
  const tags = new Map(featureTags.map(tagOf).map((tag) => [tagKey(tag), tag]));
  return [...tags]
    .filter(([key]) => !references.tags.has(key))
    .map(([, tag]) => ({ what: `tag "${tag.value}"`, write: newTagWrite(tag), event: tagCreated(tag) }));
}

/** Each thing once, however often the file says the same of it. */
function distinct<T extends { readonly name: string }>(things: readonly T[]): T[] {
  return [...new Map(things.map((thing) => [thing.name, thing])).values()];
}

/** Each creation with its event, whose ids begin at `firstId`. */
export function sharedUnits(
  creations: readonly SharedCreation[],
  firstId: number,
  actor: Actor,
  at: string,
): CountedUnit[] {
  return creations.map(({ what, write, event }, index) => ({
    what,
    writes: [write, ...serviceEventWrites(stamp([event], firstId + index, actor, at))],
    counts: new CountChanges(),
  }));
}
