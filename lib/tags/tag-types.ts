import { codec } from '../entity/codec.ts';
import { entity } from '../entity/entity.ts';
import type { Actor } from '../events/actor.ts';
import type { Request } from '../request.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import type { TagType, TagTypeInput, TagTypeUpdate } from './tag-schema.ts';

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
export function updateTagType(
  request: Request,
  actor: Actor,
  name: string,
  { description, ...update }: TagTypeUpdate,
): Promise<Versioned<TagType>> {
  return tagTypes.update(request, actor, name, (before) => ({
    ...before,
    ...update,
    ...(description !== undefined && { description: description ?? '' }),
  }));
}
