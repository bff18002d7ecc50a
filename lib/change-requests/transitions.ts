import { ApiError, invalid } from '../errors.ts';
import type { NewEvent } from '../events/event.ts';
import { type PermittedCaller, requirePermission } from '../identity/caller.ts';
import { assertApproved } from './apply.ts';
import {
  type ChangeRequest,
  inState,
  isBy,
  personOf,
  type Review,
  requestEvent,
  toApprovedContent,
} from './change-request.ts';
import type { RequestState, StateInput } from './change-request-schema.ts';
import { assertImpartial, assertMayThere, hasApproved, lacksApproval, type Rules } from './rules.ts';

const dayMs = 24 * 60 * 60 * 1_000;
/** The most time until a schedule. */
const scheduledWithinMs = 366 * dayMs;

/** A request after a step, and the events that record it. */
export interface Transition {
  readonly after: ChangeRequest;
  readonly events: readonly NewEvent[];
}

/** A state that somebody asks for. */
export interface AskedState {
  readonly before: ChangeRequest;
  readonly input: StateInput;
  readonly caller: PermittedCaller;
  readonly rules: Rules;
  readonly at: string;
  /** The days after which what is sent to review is cancelled; null where it is not. */
  readonly expiryDays?: number | null;
  /** The content that it had when they asked, where they do not name the version that they have seen. */
  readonly seenHash?: string | undefined;
}

/**
 * Brings a request into another state, or adds an approval on the way there; pure.
 * @throws ApiError 403 for a caller who may not; 400 for a state that cannot follow; 409 for the approval of what was edited
 * meanwhile.
 */
export function transition(state: Exclude<RequestState, 'Applied'>, asked: AskedState): Transition {
  return steps[state](asked);
}

const steps: { readonly [S in Exclude<RequestState, 'Applied'>]: (asked: AskedState) => Transition } = {
  Draft() {
    throw invalid('A change request that was sent to review does not become a draft again; edit it as it is.', 'state');
  },
  'In review'({ before, caller, at, expiryDays = null }) {
    assertFrom(before, 'In review', ['Draft']);
    assertBy(before, caller);
    if (before.changes.length === 0) throw invalid('There is no change to review.', 'state');
    const sent = inState(before, 'In review', at);
    const expiresAt = expiryDays !== null && new Date(Date.parse(at) + expiryDays * dayMs).toISOString();
    const after = expiresAt === false ? sent : { ...sent, expiresAt };
    return {
      after,
      events: [requestEvent('change-request-sent-to-review', after, { changes: toApprovedContent(after.changes) })],
    };
  },
  Approved({ before, caller, rules, at, seenHash }) {
    if (seenHash !== undefined && seenHash !== before.contentHash) throw editedMeanwhile(before.id);
    const isOpenAgain = ['Approved', 'Scheduled'].includes(before.state) && lacksApproval(before, rules);
    if (!isOpenAgain) assertFrom(before, 'Approved', ['In review']);
    assertMayThere(caller, 'APPROVE_CHANGE_REQUEST', before, rules);
    assertImpartial(caller, before, rules);
    if (hasApproved(caller, before)) throw invalid('You have approved these changes already.', 'state');
    const others = before.approvals.filter((approval) => !isBy(caller, approval));
    const reviewed = { ...before, approvals: [...others, reviewBy(caller, before, at)] };
    const isEnough = !lacksApproval(reviewed, rules);
    const state = isEnough ? 'Approved' : 'In review';
    const isSame = before.state === 'Scheduled' || (before.state === 'In review' && !isEnough);
    const after = isSame ? reviewed : inState(reviewed, state, at);
    return {
      after,
      events: [
        requestEvent('change-request-approval-added', after),
        ...(isEnough ? [requestEvent('change-request-approved', after)] : []),
      ],
    };
  },
  Rejected({ before, caller, at }) {
    assertFrom(before, 'Rejected', ['In review', 'Approved', 'Scheduled']);
    if (before.state !== 'Scheduled' || !(isBy(caller, before) || caller.may('ADMIN')))
      requirePermission(caller, ['APPROVE_CHANGE_REQUEST'], before.project, before.environment);
    const others = before.rejections.filter((rejection) => !isBy(caller, rejection));
    const reviewed = { ...before, rejections: [...others, reviewBy(caller, before, at)] };
    const after = inState(reviewed, 'Rejected', at);
    return { after, events: [requestEvent('change-request-rejected', after)] };
  },
  Cancelled({ before, caller, at }) {
    assertFrom(before, 'Cancelled', ['Draft', 'In review', 'Approved']);
    assertBy(before, caller);
    const after = inState(before, 'Cancelled', at);
    return { after, events: [requestEvent('change-request-cancelled', after)] };
  },
  Scheduled({ before, input, caller, rules, at }) {
    const scheduledAt = 'scheduledAt' in input ? input.scheduledAt : at;
    assertFrom(before, 'Scheduled', ['Approved', 'Scheduled']);
    assertMayThere(caller, 'APPLY_CHANGE_REQUEST', before, rules);
    assertApproved(before, rules);
    const wait = Date.parse(scheduledAt) - Date.parse(at);
    if (wait <= 0) throw invalid('A moment in the future is required.', 'scheduledAt');
    if (wait > scheduledWithinMs) throw invalid('A moment within a year is required.', 'scheduledAt');
    const { id, name, tokenHash } = caller;
    const scheduledBy = { id, name, ...(tokenHash && { tokenHash }) };
    const { contentHash } = before;
    const after: ChangeRequest = {
      ...inState(before, 'Scheduled', at),
      schedule: { scheduledAt, status: 'pending', scheduledBy, contentHash },
    };
    return { after, events: [requestEvent('change-request-scheduled', after, { scheduledDate: scheduledAt })] };
  },
};

/** An approval is not made again for a content that nobody can have seen when it was sent. */
function editedMeanwhile(id: number): ApiError {
  return new ApiError('ConflictError', `The change request "${id}" was edited while you approved it; read it again.`);
}

function reviewBy(caller: PermittedCaller, { contentHash }: ChangeRequest, at: string): Review {
  const { tokenMadeBy, tokenHash } = caller;
  const by = { ...(tokenMadeBy && { tokenMadeBy }), ...(tokenHash && { tokenHash }) };
  return { createdBy: personOf(caller), createdAt: at, contentHash, ...by };
}

/** @throws ApiError 400 where the state cannot follow the one that the request has. */
export function assertFrom({ state }: ChangeRequest, wanted: RequestState, from: readonly RequestState[]): void {
  if (from.includes(state)) return;
  throw invalid(`A change request that is ${state} cannot become ${wanted}.`, 'state');
}

/** @throws ApiError 403 for anybody but the author and Admins. */
export function assertBy(before: ChangeRequest, caller: PermittedCaller): void {
  if (isBy(caller, before) || caller.may('ADMIN')) return;
  throw new ApiError('NoAccessError', 'Only the author of a change request, or an Admin, does this.');
}
