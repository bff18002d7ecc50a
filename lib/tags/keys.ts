import { itemKey, type Partition } from '../store/client/definition.ts';

/* The keys and lists of tags. */

export const tag = (type: string, value: string) => itemKey(`TAGS#${type}`, value);
export const tags = (type: string): Partition => ({ pk: `TAGS#${type}` });
/** Counts the tags that were ever made known of a type. */
export const tagsMade = (type: string) => itemKey('TAGS_MADE', type);
