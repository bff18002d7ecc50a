import * as v from 'valibot';
import { count } from '../values/primitives.ts';

/** The number of approvals that a change needs; others than 1 to 10 become the nearest. */
export const approvals = v.nullable(count);

/** The result if somebody else has changed the same thing meanwhile: a 409, or their change is overwritten. */
export const onDrift = v.picklist(['refuse', 'overwrite']);

/** Minutes until an override begins, in which others can end it; null if nobody may override. */
export const overrideDelayMinutes = v.nullable(v.pipe(count, v.maxValue(1_440)));

/** People who may approve their own changes. */
export const selfApproval = v.picklist(['never', 'admin']);
