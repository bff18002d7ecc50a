import { change } from '../entity/change.ts';
import { nameTaken } from '../entity/entity.ts';
import { invalid, notFound } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import type { NewEvent } from '../events/event.ts';
import type { Tag } from '../schemas/tag.ts';
import { type Key, keys, partitions } from '../table/keys.ts';
import { queryAll, readItem } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import type { Write } from '../table/write.ts';
import { type TagType, tagTypes } from './tag-types.ts';

/** A tag with the color of its type. */
export interface ColoredTag extends Tag {
  readonly color: string | null;
}

/** Tags with the colors of their types. */
export function colored(tags: readonly Tag[], types: readonly TagType[]): ColoredTag[] {
  const colors = new Map(types.map(({ name, color }) => [name, color]));
  return tags.map(({ value, type }) => ({ value, type, color: colors.get(type) ?? null }));
}

/** All tags that are known, by type and value. A type knows its tags, so the types are asked for first. */
export async function listTags(table: Table): Promise<ColoredTag[]> {
  const types = await tagTypes.list(table);
  const ofTypes = await Promise.all(types.map(({ name }) => table.limiter(() => knownTags(table, name))));
  return colored(ofTypes.flat(), types);
}

/** The tags of a type that are known, by value; none of an unknown type. */
export async function listTagsOfType(table: Table, type: string): Promise<ColoredTag[]> {
  const [tagType, tags] = await Promise.all([tagTypes.find(table, type), knownTags(table, type)]);
  return tagType === undefined ? [] : colored(tags, [tagType.value]);
}

/** @throws ApiError 404 where no such tag is known. */
export async function loadTag(table: Table, tag: Tag): Promise<ColoredTag> {
  const { type, value } = tag;
  const [tagType, known] = await Promise.all([tagTypes.find(table, type), isTagKnown(table, tag)]);
  if (tagType === undefined || !known) throw notFound(`tag of the type "${type.slice(0, 100)}" named`, value);
  return { value, type, color: tagType.value.color };
}

/**
 * Makes a tag known before a feature has it.
 * @throws ApiError 409 where it is known already; 400 for an unknown type.
 */
export function createTag(table: Table, actor: Actor, tag: Tag): Promise<ColoredTag> {
  const { type, value } = tag;
  return change(table, actor, {
    of: [],
    read: () => Promise.all([tagTypes.find(table, type), isTagKnown(table, tag)]),
    revisionOf: () => undefined,
    decide: ([tagType, known]) => {
      if (tagType === undefined) throw invalid(`There is no tag type "${type}".`, 'type');
      if (known) throw nameTaken(`tag of the type "${type}"`, 'value', value);
      return {
        writes: [newTagWrite(tag)],
        events: [tagCreated(tag)],
        result: { value, type, color: tagType.value.color },
      };
    },
  });
}

/** The write that makes a tag known, when it is used for the first time anywhere. */
export function newTagWrite({ type, value }: Tag): Write {
  return { put: keys.tag(type, value), item: {}, when: 'absent' };
}

export function tagCreated({ type, value }: Tag): NewEvent {
  return { type: 'tag-created', data: { value, type } };
}

async function knownTags(table: Table, type: string): Promise<Tag[]> {
  const items = await queryAll<Key>(table, partitions.tags(type));
  return items.map(({ sk }) => ({ value: sk, type }));
}

/** Whether a tag is known: some feature has it, or had it, or it was created. */
export async function isTagKnown(table: Table, { type, value }: Tag): Promise<boolean> {
  return (await readItem(table, keys.tag(type, value))) !== undefined;
}
