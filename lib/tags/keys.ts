import { itemKey, type Partition } from '../store/client/definition.ts';

/* The keys and lists of tags. */

export const tag = (type: string, value: string) => itemKey(`TAGS#${type}`, value);
export const tags = (type: string): Partition => ({ pk: `TAGS#${type}` });
/** The counter of all tags of a type that were ever created. It only rises. */
export const tagsEverCreated = (type: string) => itemKey('TAGS_MADE', type);
