import type { Key } from '../store/client/definition.ts';

/** Counts the changes of all segments. */
export const segmentsRevision = (): Key => ({ pk: 'SEGMENTS', sk: 'REVISION' });
