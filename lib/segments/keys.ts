import { itemKey } from '../store/client/definition.ts';

/** Counts the changes of all segments. */
export const segmentsRevision = () => itemKey('SEGMENTS', 'REVISION');
