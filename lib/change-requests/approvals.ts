import {
  buildCaller,
  buildRightsConditions,
  type Decider,
  type Holder,
  loadDecider,
  readHolder,
  type UsedRight,
} from '../identity/caller.ts';
import type { Request } from '../request.ts';
import type { Write } from '../store/transactions/write.ts';
import { approvalsOf, type ChangeRequest, type Review } from './change-request.ts';
import { countRequiredApprovals, isApprover, lacksApproval, type Rules } from './rules.ts';

/** An approval, and its approver with their present rights; undefined if the approver was deleted. */
interface LoadedApproval {
  readonly review: Review;
  readonly holder: Holder | undefined;
}

/** The parts of a request, or of its summary, that the validity of approvals depends on. */
type ApprovableRequest = Parameters<typeof countRequiredApprovals>[0] &
  Parameters<typeof isApprover>[1] &
  Pick<ChangeRequest, 'state'>;

/** Reads the approvers of a request without a cache, whose rights could be too old for the conditions of a write. */
export function loadApprovals(request: Request, changeRequest: ApprovableRequest): Promise<LoadedApproval[]> {
  return loadApprovalsBy(changeRequest, (approver) =>
    approver.id > 0 ? readHolder(request, approver.id) : loadDecider(request, approver),
  );
}

function loadApprovalsBy(
  changeRequest: ApprovableRequest,
  load: (approver: Decider) => Promise<Holder | undefined>,
): Promise<LoadedApproval[]> {
  return Promise.all(
    approvalsOf(changeRequest).map(async (review) => ({
      review,
      holder: await load({ ...review, ...review.createdBy }),
    })),
  );
}

/**
 * Returns a request with its valid approvals, and the number of required ones. An approved request that lacks an approval
 * by now is in review again.
 */
export async function loadCurrentState<T extends ApprovableRequest>(
  request: Request,
  changeRequest: T,
  rules: Rules,
): Promise<T> {
  const loaded = await loadApprovalsBy(changeRequest, (approver) => loadDecider(request, approver));
  const { current } = withValidApprovals(changeRequest, rules, loaded);
  const isInReviewAgain = changeRequest.state === 'Approved' && lacksApproval(current, rules);
  return {
    ...current,
    minApprovals: countRequiredApprovals(changeRequest, rules),
    ...(isInReviewAgain && { state: 'In review' }),
  };
}

/** Returns a request with only the approvals whose approvers may still approve it, and the conditions on these rights. */
export function withValidApprovals<T extends ApprovableRequest>(
  changeRequest: T,
  rules: Rules,
  loaded: readonly LoadedApproval[],
): { readonly current: T; readonly conditions: readonly Write[] } {
  const approvals = loaded.flatMap(({ review, holder }) => {
    if (holder === undefined) return [];
    const usedRights: UsedRight[] = [];
    const madeBy = review.tokenMadeBy;
    const caller = buildCaller(holder, { ...(madeBy !== undefined && { madeBy }) }, (right) => usedRights.push(right));
    return isApprover(caller, changeRequest, rules)
      ? [{ review, conditions: buildRightsConditions(holder, usedRights) }]
      : [];
  });
  return {
    current: { ...changeRequest, approvals: approvals.map(({ review }) => review) },
    conditions: approvals.flatMap(({ conditions }) => conditions),
  };
}
