import { itemKey, type Partition } from '../store/client/definition.ts';

/* The keys and lists of idempotency records. */

/** The claim of an idempotency key, and then the reply: both have this key, so that only one of two requests can write it. */
export const claim = (request: string) => itemKey(`REQUEST#${request}`, 'ANSWER');
/** A completed transaction of a request that takes several. */
export const part = (request: string, id: string) => itemKey(`REQUEST#${request}`, `PART#${id}`);
export const allItems = (request: string): Partition => ({ pk: `REQUEST#${request}` });
