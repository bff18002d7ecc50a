import type { TagType } from '../schemas/tag.ts';

/** A tag type as the store holds it. */
export interface TagTypeItem {
  readonly name: string;
  readonly description: string;
  readonly icon: string | null;
}

export function tagTypeItem({ name, description, icon }: TagType): TagTypeItem {
  return { name, description: description ?? '', icon: icon ?? null };
}
