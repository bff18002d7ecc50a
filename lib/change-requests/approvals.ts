import {
  callerFrom,
  type Holder,
  holderOf,
  loadHolder,
  type Reliance,
  standingBehind,
} from '../people/rights/caller.ts';
import type { Request } from '../request.ts';
import type { Write } from '../store/transactions/write.ts';
import { approvalsOf, type ChangeRequest, type Review } from './change-request.ts';
import { isApprover, type Rules } from './rules.ts';

/** An approval, and its giver with the rights that they have now; undefined where they are gone. */
interface LoadedApproval {
  readonly review: Review;
  readonly holder: Holder | undefined;
}

/** Reads who has approved a request as it is now: what is remembered of their rights would be too old for its conditions. */
export function loadApprovals(request: Request, one: ChangeRequest): Promise<LoadedApproval[]> {
  return Promise.all(
    approvalsOf(one).map(async (review) => {
      const { id, name } = review.createdBy;
      const holder = await (id > 0 ? loadHolder(request, id) : holderOf(request, { kind: 'admin', name }));
      return { review, holder };
    }),
  );
}

/** Returns a request with those approvals alone whose givers may still approve it, and the conditions that they may. */
export function withHeldApprovals(
  one: ChangeRequest,
  rules: Rules,
  loaded: readonly LoadedApproval[],
): { readonly held: ChangeRequest; readonly conditions: readonly Write[] } {
  const approvals = loaded.flatMap(({ review, holder }) => {
    if (holder === undefined) return [];
    const facts: Reliance[] = [];
    const madeBy = review.tokenMadeBy;
    const caller = callerFrom(holder, { ...(madeBy !== undefined && { madeBy }) }, (fact) => facts.push(fact));
    return isApprover(caller, one, rules) ? [{ review, conditions: standingBehind(holder, facts) }] : [];
  });
  return {
    held: { ...one, approvals: approvals.map(({ review }) => review) },
    conditions: approvals.flatMap(({ conditions }) => conditions),
  };
}
