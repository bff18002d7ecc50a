import { itemKey, type Partition } from '../store/client/definition.ts';

/* The keys and lists of requests that may come again. */

/**
 * The state of such a request: a claim while it is under way, which its answer replaces, and the parts carried out so
 * far. One item for claim and answer, so that of two requests under one key only one gets through.
 */
export const keptRequest = (request: string) => itemKey(`REQUEST#${request}`, 'ANSWER');
export const keptPart = (request: string, id: string) => itemKey(`REQUEST#${request}`, `PART#${id}`);
export const allKept = (request: string): Partition => ({ pk: `REQUEST#${request}` });
