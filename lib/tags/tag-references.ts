import type { NewEvent } from '../events/event.ts';
import type { Tag } from '../schemas/tag.ts';
import { keys } from '../table/keys.ts';
import type { Write } from '../table/write.ts';

/** The write that makes a tag known, when it is used for the first time anywhere. */
export function newTagWrite({ type, value }: Tag): Write {
  return { put: keys.tag(type, value), item: {}, when: 'absent' };
}

export function tagCreated({ type, value }: Tag): NewEvent {
  return { type: 'tag-created', data: { value, type } };
}
