import * as v from 'valibot';
import { boolean, count, name, object } from '../values/primitives.ts';

const notHere = 'Change requests are not supported yet, so no change can be made to need approval.';

/** Refuses changes that need approval, in a body that can ask for them: an approval that nothing asks for protects nobody. */
export const withoutApproval = v.pipe(boolean, v.value(false, notHere));

/** The number of approvals that a change needs, taken as the next one from 1 to 10; `terraform destroy` sends 0. */
export const approvals = v.nullable(count);

/** Fate of a change to something that others have changed since it was made. */
export const onDrift = v.picklist(['refuse', 'overwrite']);

/** People who may approve a change of their own. */
export const selfApproval = v.picklist(['never', 'admin']);

/** Refuses a number of approvals where nothing else says that changes need them. */
export const noApprovals = v.nullable(v.pipe(count, v.maxValue(0, notHere)));

/** Refuses environments in which changes need approval. */
export const noApprovalIn = v.pipe(
  v.array(object({ name, requiredApprovals: v.exactOptional(approvals) })),
  v.maxLength(0, notHere),
);
