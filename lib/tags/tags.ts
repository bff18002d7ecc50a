import { change } from '../entity/change.ts';
import { codec } from '../entity/codec.ts';
import { entity } from '../entity/entity.ts';
import { nameTakenError } from '../entity/names.ts';
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
  eventData: (tagType) => tagType,
});

export function newTagType({ name, description, icon, color }: TagTypeInput): TagType {
  return { name, description: description ?? '', icon: icon ?? null, color: color ?? null };
}

/** @throws ApiError 409 if the name is in use. */
export function createTagType(request: Request, actor: Actor, input: TagTypeInput): Promise<Versioned<TagType>> {
  return tagTypes.create(request, actor, () => newTagType(input));
}

/** @throws ApiError 404 for an unknown tag type. */
export function updateTagType(request: Request, actor: Actor, name: string, { description, ...update }: TagTypeUpdate) {
  return tagTypes.update(request, actor, name, (before) => ({
    ...before,
    ...update,
    ...(description !== undefined && { description: description ?? '' }),
  }));
}

/** Adds the colors of their types to tags. */
export function withColors(tags: readonly Tag[], types: readonly TagType[]): ColoredTag[] {
  const colors = new Map(types.map(({ name, color }) => [name, color]));
  return tags.map(({ value, type }) => ({ value, type, color: colors.get(type) ?? null }));
}

/** Returns a text that is unique to a tag, for use in sets and maps. */
export function tagIdentity({ type, value }: Tag): string {
  return `${type}\n${value}`;
}

/** Returns the `tagIdentity` of each of these tags that exists. */
export async function loadKnownTags(request: Request, tags: readonly Tag[]): Promise<Set<string>> {
  const distinct = distinctBy(tags, tagIdentity);
  const items = await readItems(
    request,
    distinct.map(({ type, value }) => tagKeys.tag(type, value)),
  );
  return new Set(distinct.filter((_, index) => items[index] !== undefined).map(tagIdentity));
}

/** Lists all tags, by type and value. Each type has a partition of tags, so the types are read first. */
export async function listTags(request: Request): Promise<ColoredTag[]> {
  const types = await tagTypes.list(request);
  const tags = await Promise.all(types.map(({ name }) => request.store.limiter(() => listKnownTags(request, name))));
  return withColors(tags.flat(), types);
}

/** Lists the tags of a type by value; empty for an unknown type. */
export async function listTagsOfType(request: Request, type: string): Promise<ColoredTag[]> {
  const [tagType, tags] = await Promise.all([tagTypes.find(request, type), listKnownTags(request, type)]);
  return tagType === undefined ? [] : withColors(tags, [tagType.value]);
}

/** @throws ApiError 404 for an unknown tag. */
export async function loadTag(request: Request, tag: Tag): Promise<ColoredTag> {
  const { type, value } = tag;
  const [tagType, known] = await Promise.all([tagTypes.find(request, type), isTagKnown(request, tag)]);
  if (tagType === undefined || !known) throw tagNotFoundError(tag);
  return { value, type, color: tagType.value.color };
}

export function tagNotFoundError({ type, value }: Tag): ApiError {
  return notFound(`tag of the type "${type.slice(0, 100)}" named`, value);
}

/** The most tags of a type that can be created without a feature. One reply lists all of them. */
const tagsOfTypeMax = 5_000;

/**
 * Creates a tag without adding it to a feature.
 * @throws ApiError 409 if the tag exists; 400 if the type is unknown or has the maximum number of tags.
 */
export function createTag(request: Request, actor: Actor, tag: Tag): Promise<ColoredTag> {
  const { type, value } = tag;
  return change(request, actor, {
    items: [],
    read: () => Promise.all([tagTypes.find(request, type), listKnownTags(withAllProjects(request), type)]),
    revisionOf: () => undefined,
    decide: ([tagType, known]) => {
      if (tagType === undefined) throw invalid(`There is no tag type "${type}".`, 'type');
      if (known.some((knownTag) => knownTag.value === value))
        throw nameTakenError(`tag of the type "${type}"`, 'value', value);
      assertRoom(known.length, tagsOfTypeMax, 'tags of one type');
      return {
        writes: newTagWrites(tag),
        events: [tagCreatedEvent(tag)],
        result: { value, type, color: tagType.value.color },
      };
    },
  });
}

/**
 * Returns the writes that create a tag. They raise the counter of the tag type, so that a concurrent removal of the type fails.
 * @param project the project of the feature that receives the tag, if any.
 */
export function newTagWrites({ type, value }: Tag, project?: string): Write[] {
  const item = project === undefined ? {} : { [`${usedIn}${project}`]: 1 };
  return [
    { put: tagKeys.tag(type, value), item, when: 'absent' },
    { check: tagTypes.keyOf(type), when: 'present' },
    { add: tagKeys.tagsEverCreated(type), amounts: { amount: 1 } },
  ];
}

/**
 * Returns the write that records that a feature received an existing tag. It raises the count of the tag, so that a concurrent
 * removal of the tag fails. It also records the project: a caller sees a tag only if they see one of its projects.
 */
export function tagReceivedWrite(tag: Tag, project: string): Write {
  return { ...tagReceivedOrCreatedWrite(tag, project), when: 'present' };
}

/** Returns the same write for a feature that is moved to a project: it creates the tag if it does not exist. */
export function tagReceivedOrCreatedWrite(
  { type, value }: Tag,
  project: string,
): Extract<Write, { readonly add: Key }> {
  return { add: tagKeys.tag(type, value), amounts: { amount: 1, [`${usedIn}${project}`]: 1 } };
}

export function tagCreatedEvent({ type, value }: Tag): NewEvent {
  return { type: 'tag-created', data: { value, type } };
}

export function tagDeletedEvent({ type, value }: Tag): NewEvent {
  return { type: 'tag-deleted', preData: { value, type } };
}

/** A tag and how often features received it. A removal of the tag requires that this count is unchanged. */
interface KnownTag extends Tag {
  readonly amount: number;
}

/** Returns the write that removes a tag. It fails if a feature has received the tag since it was read. */
export function tagRemovalWrite({ type, value, amount }: KnownTag): Write {
  return { remove: tagKeys.tag(type, value), when: { amount, present: true } };
}

/** The prefix of the attributes of a tag's item that name the projects in which features received the tag. */
const usedIn = 'in:';

interface TagItem {
  readonly amount?: number;
}

/** Lists the existing tags of a type, by value. */
export async function listKnownTags(request: Request, type: string): Promise<KnownTag[]> {
  const items = await queryAll<Key & TagItem>(request, tagKeys.tags(type));
  return items.filter((item) => isShown(request, item)).map(({ sk, amount = 0 }) => ({ value: sk, type, amount }));
}

/** Reads a tag; undefined if it does not exist. */
export async function findTag(request: Request, { type, value }: Tag): Promise<KnownTag | undefined> {
  const item = await readItem<TagItem>(request, tagKeys.tag(type, value));
  return item && isShown(request, item) ? { type, value, amount: item.amount ?? 0 } : undefined;
}

/** Tells whether the caller sees one of the tag's projects, or the tag has none. */
function isShown(request: Request, item: object): boolean {
  const projects = Object.keys(item).flatMap((name) => (name.startsWith(usedIn) ? name.slice(usedIn.length) : []));
  return isVisibleIn(request, projects);
}

/** Tells whether a tag exists: it was created, or a feature has or had it. */
export async function isTagKnown(request: Request, tag: Tag): Promise<boolean> {
  return (await findTag(request, tag)) !== undefined;
}
