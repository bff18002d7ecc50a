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

/** An approval, and its giver with the rights that they have now; undefined where they are gone. */
interface LoadedApproval {
  readonly review: Review;
  readonly holder: Holder | undefined;
}

/** A request, or its place in a list, by what its approvals rest on. */
type Approved = Parameters<typeof countRequiredApprovals>[0] &
  Parameters<typeof isApprover>[1] &
  Pick<ChangeRequest, 'state'>;

/** Reads who has approved a request as it is now: what is remembered of their rights would be too old for its conditions. */
export function loadApprovals(request: Request, one: Approved): Promise<LoadedApproval[]> {
  return approvalsBy(one, (giver) => (giver.id > 0 ? readHolder(request, giver.id) : loadDecider(request, giver)));
}

function approvalsBy(one: Approved, load: (giver: Decider) => Promise<Holder | undefined>): Promise<LoadedApproval[]> {
  return Promise.all(
    approvalsOf(one).map(async (review) => ({ review, holder: await load({ ...review, ...review.createdBy }) })),
  );
}

/**
 * Returns a request as it stands now: with the approvals that count, and the number that it needs. One that was approved and
 * lacks an approval since is in review again.
 */
export async function asItStands<T extends Approved>(request: Request, one: T, rules: Rules): Promise<T> {
  const loaded = await approvalsBy(one, (giver) => loadDecider(request, giver));
  const { held } = withHeldApprovals(one, rules, loaded);
  const isOpenAgain = one.state === 'Approved' && lacksApproval(held, rules);
  return { ...held, minApprovals: countRequiredApprovals(one, rules), ...(isOpenAgain && { state: 'In review' }) };
}

/** Returns a request with those approvals alone whose givers may still approve it, and the conditions that they may. */
export function withHeldApprovals<T extends Approved>(
  one: T,
  rules: Rules,
  loaded: readonly LoadedApproval[],
): { readonly held: T; readonly conditions: readonly Write[] } {
  const approvals = loaded.flatMap(({ review, holder }) => {
    if (holder === undefined) return [];
    const facts: UsedRight[] = [];
    const madeBy = review.tokenMadeBy;
    const caller = buildCaller(holder, { ...(madeBy !== undefined && { madeBy }) }, (fact) => facts.push(fact));
    return isApprover(caller, one, rules) ? [{ review, conditions: buildRightsConditions(holder, facts) }] : [];
  });
  return {
    held: { ...one, approvals: approvals.map(({ review }) => review) },
    conditions: approvals.flatMap(({ conditions }) => conditions),
  };
}
