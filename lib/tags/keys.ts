import type { Key, Partition } from '../store/client/definition.ts';

/* The keys and lists of tags. */

export const tag = (type: string, value: string): Key => ({ pk: `TAGS#${type}`, sk: value });
export const tags = (type: string): Partition => ({ pk: `TAGS#${type}` });
/** Counts the tags that were ever made known of a type. */
export const tagsMade = (type: string): Key => ({ pk: 'TAGS_MADE', sk: type });
