import { change } from '../entity/change.ts';
import { type ErrorDetail, invalid, invalidRequest } from '../errors.ts';
import { systemUser } from '../events/actor.ts';
import { serviceEventWrites } from '../events/event-items.ts';
import { awaitInOrder } from '../helpers/run-all.ts';
import { type PermittedCaller, requirePermission } from '../identity/caller.ts';
import { users } from '../identity/users.ts';
import * as projectKeys from '../projects/keys.ts';
import { loadProject, projects } from '../projects/projects.ts';
import type { Request } from '../request.ts';
import { rightsConditionOf } from '../store/transactions/authority.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import { applyRequest, assertNoConflict } from './apply.ts';
import { loadApprovals, withHeldApprovals } from './approvals.ts';
import {
  approvalsOf,
  type ChangeRequest,
  isClosed,
  isPending,
  isPublic,
  type RequestedChange,
  requestEvent,
} from './change-request.ts';
import type { RequestPlace, RequestState, StateInput } from './change-request-schema.ts';
import { decideCancellation, loadChangeRequest, requestUpdated } from './change-requests.ts';
import { describeVoid, withComment, withNote } from './comments.ts';
import { addBasis, decideDiscard } from './edit.ts';
import * as changeRequestKeys from './keys.ts';
import { type LoadedPlan, loadRequestPlan, planRequest } from './plan/plan.ts';
import { assertMayThere, assertMember, loadRules, rulesIn } from './rules.ts';
import { loadTouched, scheduleReferenceWrites } from './schedules/schedule-references.ts';
import { readChangeRequestSettings } from './settings.ts';
import { assertBy, assertFrom, type Transition, transition } from './transitions.ts';

/** The state that a request has reached. */
export interface Reached {
  readonly state: RequestState;
  readonly scheduledAt?: string;
}

function reachedBy({ state, schedule }: ChangeRequest): Reached {
  return { state, ...(schedule && { scheduledAt: schedule.scheduledAt }) };
}

/**
 * Brings a request into another state, or adds an approval on the way there.
 * @throws ApiError 404 for an unknown request; 403 for a caller who may not; 400 for a state that cannot follow; 409 where
 * it cannot be applied; 412 by `If-Match`.
 */
export async function changeState(
  request: Request,
  caller: PermittedCaller,
  place: RequestPlace,
  input: StateInput,
): Promise<Reached> {
  const load = () => loadChangeRequest(request, caller, place);
  const { state } = input;
  if (state === 'Applied') {
    const { environment } = (await load()).value;
    const by = requirePermission(caller, ['APPLY_CHANGE_REQUEST'], place.projectId, environment);
    const { state: reached } = await applyRequest(request, by, {
      id: place.id,
      load,
      assertMay(found, needs, rules) {
        assertFrom(found, 'Applied', ['Approved', 'Scheduled']);
        assertMayThere(caller, 'APPLY_CHANGE_REQUEST', found, rules);
        for (const { permissions, project } of needs) requirePermission(caller, permissions, project);
      },
      say: (found, at) => withComment(found, input.comment, caller, at),
      rules: () => loadRules(request, place.projectId, environment),
    });
    return { state: reached };
  }
  let seen: string | undefined;
  let seenPlan: LoadedPlan | undefined;
  return change(request, caller, {
    of: [changeRequestKeys.changeRequest(place.id)],
    likelyEvents: 2,
    read: async () => {
      const [before, project] = await awaitInOrder([load(), projects.load(request, place.projectId)]);
      const [approvals, loaded, touched, settings] = await Promise.all([
        state === 'Approved' || state === 'Scheduled' ? loadApprovals(request, before.value) : undefined,
        state === 'Scheduled' ? loadRequestPlan(request, before.value) : undefined,
        state === 'Scheduled' || (before.value.state === 'Scheduled' && state !== 'Approved')
          ? loadTouched(request, before.value)
          : undefined,
        state === 'In review' ? readChangeRequestSettings(request) : undefined,
      ]);
      seenPlan ??= loaded;
      const plan = loaded && seenPlan && isScheduledAgain(before.value) ? rebased(loaded, seenPlan) : loaded;
      const rules = rulesIn(project.value, before.value.environment);
      return { before, project, rules, approvals, plan, touched, settings };
    },
    revisionOf: ({ before }) => before,
    decide: ({ before, project, rules, approvals, plan, touched, settings }, at) => {
      seen ??= before.value.contentHash;
      const seenHash = request.expectedVersions === undefined ? seen : undefined;
      const expiryDays = settings?.value.expiryDays ?? null;
      const asked = { ...before.value, ...(plan && { changes: plan.asked.changes }) };
      const { held, conditions } = approvals
        ? withHeldApprovals(asked, rules, approvals)
        : { held: asked, conditions: [] };
      const clause = describeVoid(approvalsOf(asked).filter((approval) => !held.approvals.includes(approval)));
      const because = clause?.replace('the', 'The').concat(': they may not approve this any more.');
      const one = because === undefined ? held : withNote(held, because, systemUser, at);
      const { after, events } = transition(state, { before: one, input, caller, rules, at, expiryDays, seenHash });
      if (plan !== undefined) assertNoConflict(one, planRequest(request, plan, at), rules);
      const said = withComment(after, input.comment, caller, at);
      const marks = touched === undefined ? [] : scheduleReferenceWrites(touched, said);
      return {
        ...requestUpdated(before, said, events),
        record: (stamped) => [
          ...serviceEventWrites(stamped),
          ...marks,
          ...conditions,
          // The number of approvals is the one that is required, and the environment there.
          ...(approvals === undefined ? [] : [rightsConditionOf(projectKeys.project(place.projectId), project)]),
        ],
        result: reachedBy(said),
      };
    },
  });
}

/** Tells whether the schedule of a request was suspended or has failed. */
function isScheduledAgain({ schedule }: ChangeRequest): boolean {
  return schedule !== undefined && schedule.status !== 'pending';
}

/**
 * Returns a plan with its changes made on what was there when somebody schedules it again: they have seen what has changed
 * until then, and want it all the same.
 */
function rebased(loaded: LoadedPlan, seen: LoadedPlan): LoadedPlan {
  const again = (change: RequestedChange) => rebasedChange(change, seen);
  return {
    ...loaded,
    asked: { ...loaded.asked, changes: loaded.asked.changes.map(again) },
    features: loaded.features.map((each) => ({
      ...each,
      steps: each.steps.map(({ change: made, step }) => ({ change: again(made), step })),
    })),
    segments: loaded.segments.map((each) => ({ ...each, changes: each.changes.map(again) })),
  };
}

/** The segments that it uses stay those that were approved. */
function rebasedChange(change: RequestedChange, loaded: LoadedPlan): RequestedChange {
  const { uses: _now, ...again } = addBasis(change, loaded);
  return { ...again, ...(change.uses && { uses: change.uses }) };
}

/**
 * Adds a comment to a request.
 * @throws ApiError 404 for an unknown request; 403 for callers who are no members; 400 for one comment too many.
 */
export function addComment(request: Request, caller: PermittedCaller, place: RequestPlace, text: string) {
  const load = () => loadProject(request, place.projectId);
  return revise(request, caller, place, load, (before, at, project) => {
    assertMember(caller, { project });
    return { after: withComment(before, text, caller, at, { isAlone: true }), events: [] };
  });
}

/**
 * Gives a request a title, while it is open: what people decided about keeps the name under which they did. Once others may
 * have read the earlier title, a comment says what it was: they may have approved the request under that.
 * @throws ApiError 403 for anybody but the author and Admins; 404 for an unknown request; 400 for one that is closed, for an
 * override, of which the title says the reason, and for one comment too many; 412 by `If-Match`.
 */
export function setTitle(request: Request, caller: PermittedCaller, place: RequestPlace, title: string) {
  return revise(request, caller, place, nothing, (before, at) => {
    assertBy(before, caller);
    if (before.override !== undefined) throw invalid('The title of an override says its reason, and stays.', 'title');
    if (isClosed(before)) throw invalid(`The title of a change request that is ${before.state} stays.`, 'title');
    const after = { ...before, title };
    if (!isPublic(before) || before.title === title) return { after, events: [] };
    const from = before.title === undefined ? '' : ` from "${before.title}"`;
    const text = `Changed the title${from} to "${title}".`;
    return { after: withComment(after, text, caller, at, { isAlone: true }), events: [] };
  });
}

/**
 * Asks users for a review, instead of those who were asked before.
 * @throws ApiError 403 for anybody but the author and Admins; 404 for an unknown request; 400 for one that is closed, and
 * with all users that do not exist; 412 by `If-Match`.
 */
export function setReviewers(
  request: Request,
  caller: PermittedCaller,
  place: RequestPlace,
  reviewers: readonly number[],
): Promise<Versioned<void>> {
  const unknown = async () => {
    const found = await users.some(request, reviewers);
    return reviewers.flatMap((id, index): ErrorDetail[] =>
      found.has(id) ? [] : [{ message: `There is no user "${id}".`, path: `reviewers.${index}` }],
    );
  };
  return revise(request, caller, place, unknown, (before, _at, problems) => {
    assertBy(before, caller);
    if (problems.length > 0) throw invalidRequest(problems);
    if (!isPending(before)) throw invalid(`Nobody is asked to review a change request that is ${before.state}.`);
    const after = { ...before, reviewers: [...new Set(reviewers)] };
    return {
      after,
      events: [
        requestEvent('change-request-requested-approvers-updated', after, { requestedApprovers: after.reviewers }),
      ],
    };
  });
}

const nothing = async () => {};

function revise<More>(
  request: Request,
  caller: PermittedCaller,
  place: RequestPlace,
  load: () => Promise<More>,
  decide: (before: ChangeRequest, at: string, more: More) => Transition,
): Promise<Versioned<void>> {
  return change(request, caller, {
    of: [changeRequestKeys.changeRequest(place.id)],
    read: () => Promise.all([loadChangeRequest(request, caller, place), load()]),
    revisionOf: ([before]) => before,
    decide: ([before, more], at) => {
      const { after, events } = decide(before.value, at, more);
      const effects = requestUpdated(before, after, events);
      const version = effects.writes.length === 0 ? before.version : before.version + 1;
      return { ...effects, result: { value: undefined, version } };
    },
  });
}

/**
 * Removes a draft; cancels a request that is no draft any more.
 * @throws ApiError 403 for anybody but the author and Admins; 404 for an unknown request; 400 for one that is closed or
 * scheduled; 412 by `If-Match`.
 */
export function removeChangeRequest(request: Request, caller: PermittedCaller, place: RequestPlace): Promise<void> {
  return change(request, caller, {
    of: [changeRequestKeys.changeRequest(place.id)],
    read: () => loadChangeRequest(request, caller, place),
    revisionOf: (before) => before,
    decide: (before, at) => {
      assertBy(before.value, caller);
      if (before.value.state === 'Draft') return decideDiscard(before);
      assertFrom(before.value, 'Cancelled', ['In review', 'Approved']);
      return decideCancellation(before, at);
    },
  });
}
