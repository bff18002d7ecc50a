import * as v from 'valibot';
import { count } from '../values/primitives.ts';

/** Number of approvals that a change needs, taken as the next one from 1 to 10 where changes need any. */
export const approvals = v.nullable(count);

/** Fate of a change to something that others have changed since it was made. */
export const onDrift = v.picklist(['refuse', 'overwrite']);

/** Minutes in which somebody may veto an override of the approval before it holds; null where nobody may override it. */
export const overrideDelayMinutes = v.nullable(v.pipe(count, v.maxValue(1_440)));

/** People who may approve a change of their own. */
export const selfApproval = v.picklist(['never', 'admin']);
