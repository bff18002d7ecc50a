import { codec } from '../entity/codec.ts';
import { entity } from '../entity/entity.ts';
import type { TagType as TagTypeInput } from '../schemas/tag.ts';
import { keys, partitions } from '../table/keys.ts';

/** A kind of tag, e.g. the team that looks after a feature. */
export interface TagType {
  readonly name: string;
  readonly description: string;
  readonly icon: string | null;
}

export const tagTypes = entity<TagType, string>({
  kind: 'tag type',
  idOf: ({ name }) => name,
  keyOf: keys.tagType,
  partitions: [partitions.tagTypes()],
  codec: codec<TagType>({}),
  events: { created: 'tag-type-created', updated: 'tag-type-updated', deleted: 'tag-type-deleted' },
  shown: (tagType) => tagType,
});

export function newTagType({ name, description, icon }: TagTypeInput): TagType {
  return { name, description: description ?? '', icon: icon ?? null };
}
