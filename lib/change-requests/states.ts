import { change } from '../entity/change.ts';
import { type ErrorDetail, invalid, invalidRequest } from '../errors.ts';
import { systemUser } from '../events/actor.ts';
import { serviceEventWrites } from '../events/event-items.ts';
import { awaitInOrder } from '../helpers/await-in-order.ts';
import { onlyProposalsAllowed, type PermittedCaller, requirePermission } from '../identity/caller.ts';
import { users } from '../identity/users.ts';
import * as projectKeys from '../projects/keys.ts';
import { loadProject, projects } from '../projects/projects.ts';
import type { Request } from '../request.ts';
import { rightsConditionOf } from '../store/transactions/authority.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import { applyRequest, assertNoConflict } from './apply.ts';
import { loadApprovals, withValidApprovals } from './approvals.ts';
import {
  approvalsOf,
  buildRequestEvent,
  type ChangeRequest,
  isClosed,
  isPending,
  type RequestedChange,
  type Review,
} from './change-request.ts';
import type { RequestPath, RequestState, StateInput } from './change-request-schema.ts';
import { buildRequestUpdate, decideCancellation, loadChangeRequest } from './change-requests.ts';
import { describeInvalidApprovals, withComment, withNote, withTexts } from './comments.ts';
import { decideDiscard } from './edit-changes.ts';
import * as changeRequestKeys from './keys.ts';
import { type LoadedPlan, loadRequestPlan } from './plan/load-plan.ts';
import { planRequest } from './plan/plan.ts';
import { addBase } from './revise.ts';
import { assertMayInEnvironments, assertMember, loadRules, rulesOf } from './rules.ts';
import { buildScheduleWrites, loadTouched } from './schedules/schedule-references.ts';
import { readChangeRequestSettings } from './settings.ts';
import { assertAuthorOrAdmin, assertStateIn, decideTransition, type Transition } from './transitions.ts';

/** The state that a request has reached. */
export interface ReachedState {
  readonly state: RequestState;
  readonly scheduledAt?: string;
}

function findReachedState({ state, schedule }: ChangeRequest): ReachedState {
  return { state, ...(schedule && { scheduledAt: schedule.scheduledAt }) };
}

/**
 * Moves a request to another state, or adds an approval to it.
 * @throws ApiError 404 for an unknown request; 403 for a caller without the permission; 400 for a state that cannot
 * follow the present one; 409 if the request cannot be applied; 412 if `If-Match` does not match.
 */
export async function changeState(
  request: Request,
  caller: PermittedCaller,
  path: RequestPath,
  input: StateInput,
): Promise<ReachedState> {
  const load = () => loadChangeRequest(request, caller, path);
  const { state } = input;
  if (caller.agent !== undefined && state !== 'In review' && state !== 'Cancelled') throw onlyProposalsAllowed();
  if (state === 'Applied') {
    const { environment, createdBy } = (await load()).value;
    // The permission to apply the proposal of an agent depends on its changes. They are checked with the others below.
    if (createdBy.agent === undefined) requirePermission(caller, ['APPLY_CHANGE_REQUEST'], path.projectId, environment);
    const { state: reached } = await applyRequest(request, caller, {
      id: path.id,
      load,
      assertMay(changeRequest, needs, rules) {
        assertStateIn(changeRequest, 'Applied', ['Approved', 'Scheduled']);
        assertMayInEnvironments(caller, 'APPLY_CHANGE_REQUEST', changeRequest, rules);
        for (const { permissions, project } of needs) requirePermission(caller, permissions, project);
      },
      addComment: (changeRequest, at) => withComment(changeRequest, input.comment, caller, at),
      rules: () => loadRules(request, path.projectId, environment),
    });
    return { state: reached };
  }
  // The content and the plan of the first read: what the caller decided on, also if the decision is repeated.
  let firstHash: string | undefined;
  let firstPlan: LoadedPlan | undefined;
  return change(request, caller, {
    items: [changeRequestKeys.changeRequest(path.id)],
    likelyEvents: 2,
    read: async () => {
      const [before, project] = await awaitInOrder([load(), projects.load(request, path.projectId)]);
      const [approvals, loaded, touched, settings] = await Promise.all([
        state === 'Approved' || state === 'Scheduled' ? loadApprovals(request, before.value) : undefined,
        state === 'Scheduled' ? loadRequestPlan(request, before.value) : undefined,
        state === 'Scheduled' || (before.value.state === 'Scheduled' && state !== 'Approved')
          ? loadTouched(request, before.value)
          : undefined,
        state === 'In review' ? readChangeRequestSettings(request) : undefined,
      ]);
      firstPlan ??= loaded;
      const plan = loaded && firstPlan && isScheduledAgain(before.value) ? rebasePlan(loaded, firstPlan) : loaded;
      const rules = rulesOf(project.value, before.value.environment);
      return { before, project, rules, approvals, plan, touched, settings };
    },
    revisionOf: ({ before }) => before,
    decide: ({ before, project, rules, approvals, plan, touched, settings }, at) => {
      firstHash ??= before.value.contentHash;
      const expectedHash = request.expectedVersions === undefined ? firstHash : undefined;
      const expiryDays = settings?.value.expiryDays ?? null;
      const rebased = { ...before.value, ...(plan && { changes: plan.requested.changes }) };
      const { current, conditions } = approvals
        ? withValidApprovals(rebased, rules, approvals)
        : { current: rebased, conditions: [] };
      const isInvalid = (approval: Review) => !current.approvals.includes(approval);
      const clause = describeInvalidApprovals(approvalsOf(rebased).filter(isInvalid));
      const note = clause?.replace('the', 'The').concat(': they may no longer approve this.');
      const changeRequest = note === undefined ? current : withNote(current, note, systemUser, at);
      const { after, events } = decideTransition(state, {
        before: changeRequest,
        input,
        caller,
        rules,
        at,
        expiryDays,
        expectedHash,
      });
      if (plan !== undefined) assertNoConflict(changeRequest, planRequest(request, plan, at), rules);
      const commented = withComment(after, input.comment, caller, at);
      const scheduleWrites = touched === undefined ? [] : buildScheduleWrites(touched, commented);
      return {
        ...buildRequestUpdate(before, commented, events),
        record: (stamped) => [
          ...serviceEventWrites(stamped),
          ...scheduleWrites,
          ...conditions,
          // The project still has the environment, and requires the same number of approvals.
          ...(approvals === undefined ? [] : [rightsConditionOf(projectKeys.project(path.projectId), project)]),
        ],
        result: findReachedState(commented),
      };
    },
  });
}

/** Tells whether the schedule of a request was suspended or has failed. */
function isScheduledAgain({ schedule }: ChangeRequest): boolean {
  return schedule !== undefined && schedule.status !== 'pending';
}

/**
 * Replaces the old values of all changes by those of another plan. A person who schedules a request again has seen what changed
 * since, and accepts it.
 */
function rebasePlan(loaded: LoadedPlan, base: LoadedPlan): LoadedPlan {
  const rebase = (change: RequestedChange) => rebaseChange(change, base);
  return {
    ...loaded,
    requested: { ...loaded.requested, changes: loaded.requested.changes.map(rebase) },
    features: loaded.features.map((feature) => ({
      ...feature,
      steps: feature.steps.map(({ change, planned }) => ({ change: rebase(change), planned })),
    })),
    segments: loaded.segments.map((segment) => ({ ...segment, changes: segment.changes.map(rebase) })),
  };
}

/** Replaces the old value of a change, but keeps the digests of used segments that were approved. */
function rebaseChange(change: RequestedChange, base: LoadedPlan): RequestedChange {
  const { uses: _uses, ...rebased } = addBase(change, base);
  return { ...rebased, ...(change.uses && { uses: change.uses }) };
}

/**
 * Adds a comment to a request.
 * @throws ApiError 404 for an unknown request; 403 for a caller who is not a member; 400 for too many comments.
 */
export function addComment(request: Request, caller: PermittedCaller, path: RequestPath, text: string) {
  const load = () => loadProject(request, path.projectId);
  return revise(request, caller, path, load, (before, at, project) => {
    assertMember(caller, { project });
    return { after: withComment(before, text, caller, at, { isStandalone: true }), events: [] };
  });
}

/**
 * Sets the title of an open request; a closed request keeps the title under which people decided. If others can have read
 * the old title, a comment names it, since they can have approved the request under this title.
 * @throws ApiError 403 for callers other than the author and Admins; 404 for an unknown request; 400 for a request that is
 * closed or an override, or for too many comments; 412 if `If-Match` does not match.
 */
export function setTitle(request: Request, caller: PermittedCaller, path: RequestPath, title: string) {
  return revise(request, caller, path, nothing, (before, at) => {
    assertAuthorOrAdmin(before, caller);
    if (before.override !== undefined)
      throw invalid('The title of an override is its reason and cannot be changed.', 'title');
    if (isClosed(before))
      throw invalid(`The title of a change request that is ${before.state} cannot be changed.`, 'title');
    return { after: withTexts(before, { title }, caller, at), events: [] };
  });
}

/**
 * Sets the users who are asked for a review, instead of earlier ones.
 * @throws ApiError 403 for callers other than the author and Admins; 404 for an unknown request; 400 for a request that is
 * not pending, or with all unknown users; 412 if `If-Match` does not match.
 */
export function setReviewers(
  request: Request,
  caller: PermittedCaller,
  path: RequestPath,
  reviewers: readonly number[],
): Promise<Versioned<void>> {
  const findUnknown = async () => {
    const byId = await users.findSome(request, reviewers);
    return reviewers.flatMap((id, index): ErrorDetail[] =>
      byId.has(id) ? [] : [{ message: `There is no user "${id}".`, path: `reviewers.${index}` }],
    );
  };
  return revise(request, caller, path, findUnknown, (before, _at, problems) => {
    assertAuthorOrAdmin(before, caller);
    if (problems.length > 0) throw invalidRequest(problems);
    if (!isPending(before)) throw invalid(`Nobody can be asked to review a change request that is ${before.state}.`);
    const after = { ...before, reviewers: [...new Set(reviewers)] };
    return {
      after,
      events: [
        buildRequestEvent('change-request-requested-approvers-updated', after, { requestedApprovers: after.reviewers }),
      ],
    };
  });
}

const nothing = async () => {};

/** Changes a request by a decision on it and on further facts. */
function revise<Facts>(
  request: Request,
  caller: PermittedCaller,
  path: RequestPath,
  load: () => Promise<Facts>,
  decide: (before: ChangeRequest, at: string, facts: Facts) => Transition,
): Promise<Versioned<void>> {
  return change(request, caller, {
    items: [changeRequestKeys.changeRequest(path.id)],
    read: () => Promise.all([loadChangeRequest(request, caller, path), load()]),
    revisionOf: ([before]) => before,
    decide: ([before, facts], at) => {
      const { after, events } = decide(before.value, at, facts);
      const effects = buildRequestUpdate(before, after, events);
      const version = effects.writes.length === 0 ? before.version : before.version + 1;
      return { ...effects, result: { value: undefined, version } };
    },
  });
}

/**
 * Removes a draft, or cancels any other request.
 * @throws ApiError 403 for callers other than the author and Admins; 404 for an unknown request; 400 for a request that is
 * closed or scheduled; 412 if `If-Match` does not match.
 */
export function removeChangeRequest(request: Request, caller: PermittedCaller, path: RequestPath): Promise<void> {
  return change(request, caller, {
    items: [changeRequestKeys.changeRequest(path.id)],
    read: () => loadChangeRequest(request, caller, path),
    revisionOf: (before) => before,
    decide: (before, at) => {
      assertAuthorOrAdmin(before.value, caller);
      if (before.value.state === 'Draft') return decideDiscard(before);
      assertStateIn(before.value, 'Cancelled', ['In review', 'Approved']);
      return decideCancellation(before, at);
    },
  });
}
