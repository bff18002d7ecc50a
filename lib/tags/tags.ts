import { change } from '../entity/change.ts';
import { codec } from '../entity/codec.ts';
import { entity, nameTaken } from '../entity/entity.ts';
import { type ApiError, invalid, notFound } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import type { NewEvent } from '../events/event.ts';
import { assertRoom } from '../limits.ts';
import { isVisibleIn, type Request, withAllProjects } from '../request.ts';
import type { Key } from '../store/client/definition.ts';
import { queryAll, readItem, readItems } from '../store/read.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import type { Write } from '../store/transactions/write.ts';
import { distinctBy } from '../values/lists.ts';
import * as tagKeys from './keys.ts';
import type { ColoredTag, Tag, TagType, TagTypeInput, TagTypeUpdate } from './tag-schema.ts';

export const tagTypes = entity<TagType, string>({
  kind: 'tag type',
  idOf: ({ name }) => name,
  partition: { pk: 'TAG_TYPES' },
  codec: codec<TagType>({}),
  events: { created: 'tag-type-created', updated: 'tag-type-updated', deleted: 'tag-type-deleted' },
  shown: (tagType) => tagType,
});

export function newTagType({ name, description, icon, color }: TagTypeInput): TagType {
  return { name, description: description ?? '', icon: icon ?? null, color: color ?? null };
}

/** @throws ApiError 409 for a name in use. */
export function createTagType(request: Request, actor: Actor, input: TagTypeInput): Promise<Versioned<TagType>> {
  return tagTypes.create(request, actor, () => newTagType(input));
}

/** @throws ApiError 404 for an unknown one. */
export function updateTagType(request: Request, actor: Actor, name: string, { description, ...update }: TagTypeUpdate) {
  return tagTypes.update(request, actor, name, (before) => ({
    ...before,
    ...update,
    ...(description !== undefined && { description: description ?? '' }),
  }));
}

/** Tags with the colors of their types. */
export function colored(tags: readonly Tag[], types: readonly TagType[]): ColoredTag[] {
  const colors = new Map(types.map(({ name, color }) => [name, color]));
  return tags.map(({ value, type }) => ({ value, type, color: colors.get(type) ?? null }));
}

/** Returns a text that stands for a tag. */
export function tagKey({ type, value }: Tag): string {
  return `${type}\n${value}`;
}

/** Returns those of some tags that are known, by what stands for them. */
export async function knownAmong(request: Request, tags: readonly Tag[]): Promise<Set<string>> {
  const distinct = distinctBy(tags, tagKey);
  const wanted = distinct.map(({ type, value }) => tagKeys.tag(type, value));
  const found = await readItems(request, wanted);
  return new Set(distinct.filter((_, index) => found[index] !== undefined).map(tagKey));
}

/** Lists all known tags, by type and value. A type holds its tags, so the types are read first. */
export async function listTags(request: Request): Promise<ColoredTag[]> {
  const types = await tagTypes.list(request);
  const ofTypes = await Promise.all(types.map(({ name }) => request.store.limiter(() => knownTags(request, name))));
  return colored(ofTypes.flat(), types);
}

/** Lists the tags of a type that are known, by value; none of an unknown type. */
export async function listTagsOfType(request: Request, type: string): Promise<ColoredTag[]> {
  const [tagType, tags] = await Promise.all([tagTypes.find(request, type), knownTags(request, type)]);
  return tagType === undefined ? [] : colored(tags, [tagType.value]);
}

/** @throws ApiError 404 where no such tag is known. */
export async function loadTag(request: Request, tag: Tag): Promise<ColoredTag> {
  const { type, value } = tag;
  const [tagType, known] = await Promise.all([tagTypes.find(request, type), isTagKnown(request, tag)]);
  if (tagType === undefined || !known) throw tagNotFound(tag);
  return { value, type, color: tagType.value.color };
}

export function tagNotFound({ type, value }: Tag): ApiError {
  return notFound(`tag of the type "${type.slice(0, 100)}" named`, value);
}

/** Limit of tags of a type, above which no tag without a feature can be created: all are listed together. */
const tagsOfTypeMax = 5_000;

/**
 * Makes a tag known before a feature has it.
 * @throws ApiError 409 where it is known already; 400 for an unknown type, and for one that has as many as it may have.
 */
export function createTag(request: Request, actor: Actor, tag: Tag): Promise<ColoredTag> {
  const { type, value } = tag;
  return change(request, actor, {
    of: [],
    read: () => Promise.all([tagTypes.find(request, type), knownTags(withAllProjects(request), type)]),
    revisionOf: () => undefined,
    decide: ([tagType, known]) => {
      if (tagType === undefined) throw invalid(`There is no tag type "${type}".`, 'type');
      if (known.some((each) => each.value === value)) throw nameTaken(`tag of the type "${type}"`, 'value', value);
      assertRoom(known.length, tagsOfTypeMax, 'tags of one type');
      return {
        writes: newTagWrites(tag),
        events: [tagCreated(tag)],
        result: { value, type, color: tagType.value.color },
      };
    },
  });
}

/**
 * Returns the writes that make a tag known, when it is used for the first time anywhere. They count the tags of the
 * type, so that a removal of the type sees that one has come.
 * @param project project in which features receive it, if any: as many as there are, each records that.
 */
export function newTagWrites({ type, value }: Tag, project?: string): Write[] {
  const item = project === undefined ? {} : { [`${usedIn}${project}`]: 1 };
  return [
    { put: tagKeys.tag(type, value), item, when: 'absent' },
    { check: tagTypes.keyOf(type), when: 'present' },
    { add: tagKeys.tagsMade(type), amounts: { amount: 1 } },
  ];
}

/**
 * Returns the write of a feature receiving a known tag: it counts, so that a removal notices. It records the project,
 * too, so that those who see none of the projects in which features received the tag do not see it.
 */
export function tagUsedWrite(tag: Tag, project: string): Write {
  return { ...tagBroughtWrite(tag, project), when: 'present' };
}

/** Returns the same write of a feature that brings a tag with it, which becomes known if it is not. */
export function tagBroughtWrite({ type, value }: Tag, project: string): Extract<Write, { readonly add: Key }> {
  return { add: tagKeys.tag(type, value), amounts: { amount: 1, [`${usedIn}${project}`]: 1 } };
}

export function tagCreated({ type, value }: Tag): NewEvent {
  return { type: 'tag-created', data: { value, type } };
}

export function tagDeleted({ type, value }: Tag): NewEvent {
  return { type: 'tag-deleted', preData: { value, type } };
}

/** Tag with the number of times that features received it, which its removal requires to be unchanged. */
interface KnownTag extends Tag {
  readonly amount: number;
}

/** Returns the write that removes a tag, if no feature has received it since. */
export function tagRemoval({ type, value, amount }: KnownTag): Write {
  return { remove: tagKeys.tag(type, value), when: { amount, present: true } };
}

/** The prefix of a project in which features have received a tag, among the attributes of its item. */
const usedIn = 'in:';

interface TagItem {
  readonly amount?: number;
}

/** Returns the tags of a type that are known, by value. */
export async function knownTags(request: Request, type: string): Promise<KnownTag[]> {
  const items = await queryAll<Key & TagItem>(request, tagKeys.tags(type));
  return items.filter((item) => isShown(request, item)).map(({ sk, amount = 0 }) => ({ value: sk, type, amount }));
}

/** Reads a tag, if it is known. */
export async function findTag(request: Request, { type, value }: Tag): Promise<KnownTag | undefined> {
  const item = await readItem<TagItem>(request, tagKeys.tag(type, value));
  return item && isShown(request, item) ? { type, value, amount: item.amount ?? 0 } : undefined;
}

/** Tells whether a feature received the tag in a project that the caller sees, or nobody has. */
function isShown(request: Request, item: object): boolean {
  const projects = Object.keys(item).flatMap((name) => (name.startsWith(usedIn) ? name.slice(usedIn.length) : []));
  return isVisibleIn(request, projects);
}

/** Tells whether a tag is known: it was created, or a feature has it or had it. */
export async function isTagKnown(request: Request, tag: Tag): Promise<boolean> {
  return (await findTag(request, tag)) !== undefined;
}
