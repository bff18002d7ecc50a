import { change } from '../entity/change.ts';
import { existenceCheck } from '../entity/references.ts';
import { ApiError, invalid, notFound } from '../errors.ts';
import { awaitInOrder } from '../helpers/run-all.ts';
import { type OverrideGrant, reloadAccessFlags } from '../identity/access-flags/access-flags.ts';
import * as flagKeys from '../identity/access-flags/keys.ts';
import type { PermittedCaller } from '../identity/caller.ts';
import { users } from '../identity/users.ts';
import * as projectKeys from '../projects/keys.ts';
import { loadProject, type ProjectEnvironmentPlace } from '../projects/projects.ts';
import type { Request } from '../request.ts';
import * as keys from '../store/keys.ts';
import { queryAll } from '../store/read.ts';
import { raiseCounter } from '../store/transactions/transact.ts';
import type { Write } from '../store/transactions/write.ts';
import {
  awaitsReview,
  type ChangeRequest,
  inState,
  type Override,
  peopleBehind,
  personOf,
  requestEvent,
} from './change-request.ts';
import type { OverrideInput, RequestPlace, ShownOverride } from './change-request-schema.ts';
import { changeRequests, loadChangeRequest, requestCreated, requestUpdated } from './change-requests.ts';
import { withComment } from './comments.ts';
import { newRequest } from './edit.ts';
import * as changeRequestKeys from './keys.ts';
import { mailWrites } from './mails/outbox.ts';
import { assertImpartial, assertMayThere, assertNeedsApproval, loadRules, rulesIn } from './rules.ts';
import { person } from './views/views.ts';

const titleMax = 255;

/**
 * Lets the caller change an environment without approval for some minutes, in an emergency. Its request is there from the
 * beginning, as one that is applied: what they change points to it, so that nothing has to happen at the end.
 * @throws ApiError 404 for an unknown project or environment; 403 for a token of no person, and where nobody may override;
 * 400 where changes need no approval, and for callers who override it already.
 */
export async function startOverride(
  request: Request,
  caller: PermittedCaller,
  place: ProjectEnvironmentPlace,
  { reason, minutes }: OverrideInput,
): Promise<ShownOverride> {
  const { projectId, environment } = place;
  const started = await change(request, caller, {
    of: [flagKeys.override(projectId, environment, caller.id)],
    read: async () => {
      const [rules, user, marks, id] = await Promise.all([
        loadRules(request, projectId, environment),
        users.find(request, caller.id),
        loadMarks(request, place),
        raiseCounter(request, keys.counter('change-request'), 1),
      ]);
      return { rules, user, marks, id };
    },
    revisionOf: () => undefined,
    decide: ({ rules, user, marks, id }, at) => {
      assertNeedsApproval(rules, environment);
      if (user === undefined) throw new ApiError('NoAccessError', 'Only a person overrides the approval of changes.');
      if (rules.overrideDelay === null)
        throw new ApiError('NoAccessError', `Nobody may override the approval of changes in "${environment}".`);
      const other = marks.find(({ holder }) => holder === caller.id);
      if (other !== undefined && other.until > at)
        throw invalid(`You have an override there until ${other.until}; end it first.`);
      const from = later(at, rules.overrideDelay);
      const until = later(from, minutes);
      const draft = {
        ...newRequest({ id, projectId, environment }, caller, rules, at),
        contributors: peopleBehind(caller),
      };
      const titled = { ...draft, title: `Override: ${reason}`.slice(0, titleMax), override: { reason, from, until } };
      const one = withComment(inState(titled, 'Applied', from), reason, caller, at);
      const mark: OverrideGrant = { id, project: projectId, environment, holder: caller.id, from, until };
      const expiresAtSeconds = Math.ceil(Date.parse(until) / 1_000);
      const events = [requestEvent('change-request-override-started', one, { reason, from, until })];
      return {
        writes: [
          existenceCheck('project', projectId, projectKeys.project(projectId)),
          ...requestCreated(one, at).writes,
          {
            put: flagKeys.override(projectId, environment, caller.id),
            item: { ...mark, expiresAtSeconds },
            when: other === undefined ? 'absent' : { same: { id: other.id } },
          },
          ...mailWrites(undefined, one, events),
        ],
        events,
        result: overrideView(one, { reason, from, until }),
      };
    },
  });
  await reloadAccessFlags(request);
  return started;
}

function later(at: string, minutes: number): string {
  return new Date(Date.parse(at) + minutes * 60_000).toISOString();
}

function loadMarks(request: Request, { projectId, environment }: ProjectEnvironmentPlace): Promise<OverrideGrant[]> {
  return queryAll<OverrideGrant>(request, flagKeys.overrides(projectId, environment));
}

/**
 * Lists the overrides of an environment that are under way or to begin.
 * @throws ApiError 404 for an unknown project.
 */
export async function listOverrides(request: Request, place: ProjectEnvironmentPlace): Promise<ShownOverride[]> {
  const [, marks] = await Promise.all([loadProject(request, place.projectId), loadMarks(request, place)]);
  const now = new Date().toISOString();
  const ids = marks.filter(({ until }) => until > now).map(({ id }) => id);
  const found = await changeRequests.some(request, ids);
  return [...found.values()].flatMap((one) => (one.override === undefined ? [] : [overrideView(one, one.override)]));
}

function overrideView({ id, createdBy }: ChangeRequest, { reason, from, until }: Override): ShownOverride {
  return { id, reason, createdBy: person(createdBy), from, until };
}

/**
 * Ends an override early, or vetoes one that is to begin.
 * @throws ApiError 404 for one that is unknown, or has ended.
 */
export async function endOverride(
  request: Request,
  caller: PermittedCaller,
  { projectId, environment, id }: RequestPlace & ProjectEnvironmentPlace,
): Promise<void> {
  await change(request, caller, {
    of: [changeRequestKeys.changeRequest(id)],
    read: () => changeRequests.find(request, id),
    revisionOf: (before) => before,
    decide: (before, at) => {
      const { override } = before?.value ?? {};
      const isThere = before?.value.project === projectId && before.value.environment === environment;
      if (!isThere || override === undefined || override.until <= at) throw notFound('override', id);
      const endedBy = personOf(caller);
      const ended = { ...before.value, override: { ...override, until: at, endedBy } };
      const after = override.from <= at ? ended : inState(ended, 'Cancelled', at);
      const event = requestEvent('change-request-override-ended', after, { reason: override.reason });
      const { writes, events } = requestUpdated(before, after, [event]);
      return { writes: [...writes, markRemoved(after)], events, result: undefined };
    },
  });
  await reloadAccessFlags(request);
}

/** Returns the write that removes the mark of an override; a later one of its holder is not taken for it. */
function markRemoved({ id, project, environment, createdBy }: ChangeRequest): Write {
  return { remove: flagKeys.override(project, environment, createdBy.id), when: { same: { id } } };
}

/**
 * Records that somebody else has looked at what was changed under an override that has ended.
 * @throws ApiError 404 for an unknown request; 403 for callers who may not approve there, or have changed something under it; 400
 * for one that is no override, is under way, or was reviewed; 412 by `If-Match`.
 */
export function reviewOverride(request: Request, caller: PermittedCaller, place: RequestPlace, comment: string) {
  return change(request, caller, {
    of: [changeRequestKeys.changeRequest(place.id)],
    read: () =>
      awaitInOrder([
        loadChangeRequest(request, caller, place),
        loadProject(request, place.projectId),
        queryAll<OverrideGrant>(request, flagKeys.overrides(place.projectId)),
      ]),
    revisionOf: ([before]) => before,
    decide: ([before, project, marks], at) => {
      const { value: one, version } = before;
      const { override, environment } = one;
      const rules = rulesIn(project, environment);
      assertMayThere(caller, 'APPROVE_CHANGE_REQUEST', one, rules);
      assertImpartial(caller, one, rules);
      if (override === undefined || !awaitsReview(one)) throw invalid('Here is no override that awaits a review.');
      if (override.until > at) throw invalid(`The override is under way until ${override.until}; end it first.`);
      const reviewedBy = personOf(caller);
      const reviewed = { ...one, override: { ...override, reviewedBy, reviewedAt: at } };
      const after = withComment(reviewed, comment, caller, at);
      const event = requestEvent('change-request-override-reviewed', after, { comment });
      const { writes, events } = requestUpdated(before, after, [event]);
      return {
        // Without its mark, no clock that is late lets anything through after the review.
        writes: [...writes, ...(marks.some(({ id }) => id === one.id) ? [markRemoved(one)] : [])],
        events,
        result: { value: undefined, version: version + 1 },
      };
    },
  });
}
