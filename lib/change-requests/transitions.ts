import { ApiError, invalid } from '../errors.ts';
import type { NewEvent } from '../events/event.ts';
import type { PermittedCaller } from '../identity/caller.ts';
import { assertApproved } from './apply.ts';
import {
  addDays,
  buildRequestEvent,
  type ChangeRequest,
  isBy,
  personOf,
  proposalExpiryDays,
  type Review,
  toApprovedContent,
  withState,
} from './change-request.ts';
import type { RequestState, StateInput } from './change-request-schema.ts';
import {
  assertImpartial,
  assertMayDecideIn,
  assertMayInEnvironments,
  hasApproved,
  lacksApproval,
  type Rules,
} from './rules.ts';

const dayMs = 24 * 60 * 60 * 1_000;
/** The longest time until a scheduled application. */
const scheduleMaxMs = 366 * dayMs;

/** A request after a change, and the events of the change. */
export interface Transition {
  readonly after: ChangeRequest;
  readonly events: readonly NewEvent[];
}

/** The input of the decision on a new state. */
export interface TransitionInput {
  readonly before: ChangeRequest;
  readonly input: StateInput;
  readonly caller: PermittedCaller;
  readonly rules: Rules;
  readonly at: string;
  /** The number of days from review to cancellation; null for never. */
  readonly expiryDays?: number | null;
  /** The digest of the content at the time of the call, for a caller who sent no `If-Match`. */
  readonly expectedHash?: string | undefined;
}

/**
 * Decides to move a request to another state, or to add an approval to it. Pure.
 * @throws ApiError 403 for a caller without the permission; 400 for a state that cannot follow the present one; 409 for
 * the approval of a request that was edited meanwhile.
 */
export function decideTransition(state: Exclude<RequestState, 'Applied'>, input: TransitionInput): Transition {
  return transitions[state](input);
}

const transitions: { readonly [S in Exclude<RequestState, 'Applied'>]: (input: TransitionInput) => Transition } = {
  Draft() {
    throw invalid(
      'A change request that was sent to review cannot become a draft again; edit it in its present state.',
      'state',
    );
  },
  'In review'({ before, input, caller, at, expiryDays = null }) {
    assertStateIn(before, 'In review', ['Draft']);
    assertAuthorOrAdmin(before, caller);
    if (before.changes.length === 0) throw invalid('There is no change to review.', 'state');
    const isProposal = before.createdBy.agent !== undefined;
    const reason = before.reason ?? (isProposal ? input.comment || undefined : undefined);
    if (caller.agent !== undefined && reason === undefined)
      throw invalid('A proposal of an agent needs a reason; send it as the comment.', 'comment');
    const days = expiryDays ?? (isProposal ? proposalExpiryDays : null);
    const after = {
      ...withState(before, 'In review', at),
      ...(reason !== undefined && { reason }),
      ...(days !== null && { expiresAt: addDays(at, days) }),
    };
    const content = { changes: toApprovedContent(after.changes), ...(reason !== undefined && { reason }) };
    return { after, events: [buildRequestEvent('change-request-sent-to-review', after, content)] };
  },
  Approved({ before, caller, rules, at, expectedHash }) {
    if (expectedHash !== undefined && expectedHash !== before.contentHash) throw buildEditedError(before.id);
    const lacksApprovalNow = ['Approved', 'Scheduled'].includes(before.state) && lacksApproval(before, rules);
    if (!lacksApprovalNow) assertStateIn(before, 'Approved', ['In review']);
    assertMayInEnvironments(caller, 'APPROVE_CHANGE_REQUEST', before, rules);
    assertImpartial(caller, before, rules);
    if (hasApproved(caller, before)) throw invalid('You have approved these changes already.', 'state');
    const others = before.approvals.filter((approval) => !isBy(caller, approval));
    const reviewed = { ...before, approvals: [...others, buildReview(caller, before, at)] };
    const isEnough = !lacksApproval(reviewed, rules);
    const state = isEnough ? 'Approved' : 'In review';
    const isSame = before.state === 'Scheduled' || (before.state === 'In review' && !isEnough);
    const after = isSame ? reviewed : withState(reviewed, state, at);
    return {
      after,
      events: [
        buildRequestEvent('change-request-approval-added', after),
        ...(isEnough ? [buildRequestEvent('change-request-approved', after)] : []),
      ],
    };
  },
  Rejected({ before, caller, rules, at }) {
    assertStateIn(before, 'Rejected', ['In review', 'Approved', 'Scheduled']);
    if (before.state !== 'Scheduled' || !(isBy(caller, before) || caller.may('ADMIN')))
      assertMayDecideIn(before.environment, caller, 'APPROVE_CHANGE_REQUEST', before, rules);
    const others = before.rejections.filter((rejection) => !isBy(caller, rejection));
    const reviewed = { ...before, rejections: [...others, buildReview(caller, before, at)] };
    const after = withState(reviewed, 'Rejected', at);
    return { after, events: [buildRequestEvent('change-request-rejected', after)] };
  },
  Cancelled({ before, caller, at }) {
    assertStateIn(before, 'Cancelled', ['Draft', 'In review', 'Approved']);
    assertAuthorOrAdmin(before, caller);
    const after = withState(before, 'Cancelled', at);
    return { after, events: [buildRequestEvent('change-request-cancelled', after)] };
  },
  Scheduled({ before, input, caller, rules, at }) {
    const scheduledAt = 'scheduledAt' in input ? input.scheduledAt : at;
    assertStateIn(before, 'Scheduled', ['Approved', 'Scheduled']);
    assertMayInEnvironments(caller, 'APPLY_CHANGE_REQUEST', before, rules);
    assertApproved(before, rules);
    const delayMs = Date.parse(scheduledAt) - Date.parse(at);
    if (delayMs <= 0) throw invalid('The time must be in the future.', 'scheduledAt');
    if (delayMs > scheduleMaxMs) throw invalid('The time must be within a year.', 'scheduledAt');
    const { id, name, tokenHash } = caller;
    const scheduledBy = { id, name, ...(tokenHash && { tokenHash }) };
    const { contentHash } = before;
    const after: ChangeRequest = {
      ...withState(before, 'Scheduled', at),
      schedule: { scheduledAt, status: 'pending', scheduledBy, contentHash },
    };
    return { after, events: [buildRequestEvent('change-request-scheduled', after, { scheduledDate: scheduledAt })] };
  },
};

/** Builds the error for a request that was edited meanwhile: an approval must not count for content that its sender has not seen. */
function buildEditedError(id: number): ApiError {
  return new ApiError('ConflictError', `The change request "${id}" was edited while you approved it; read it again.`);
}

function buildReview(caller: PermittedCaller, { contentHash }: ChangeRequest, at: string): Review {
  const { tokenMadeBy, tokenHash } = caller;
  const token = { ...(tokenMadeBy && { tokenMadeBy }), ...(tokenHash && { tokenHash }) };
  return { createdBy: personOf(caller), createdAt: at, contentHash, ...token };
}

/** @throws ApiError 400 for a request in a state other than those from which the next one can be reached. */
export function assertStateIn({ state }: ChangeRequest, next: RequestState, from: readonly RequestState[]): void {
  if (from.includes(state)) return;
  if (state === next) throw invalid(`The change request is already "${state}".`, 'state');
  throw invalid(`A change request that is "${state}" cannot become "${next}".`, 'state');
}

/** @throws ApiError 403 for callers other than the author and Admins. The agent of an Admin is no Admin. */
export function assertAuthorOrAdmin(before: ChangeRequest, caller: PermittedCaller): void {
  if (isBy(caller, before) || (caller.agent === undefined && caller.may('ADMIN'))) return;
  throw new ApiError('NoAccessError', 'Only the author of a change request, or an Admin, can do this.');
}
