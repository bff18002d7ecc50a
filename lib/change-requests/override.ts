import { change } from '../entity/change.ts';
import { ApiError, invalid, notFound } from '../errors.ts';
import { awaitInOrder } from '../helpers/await-in-order.ts';
import { type OverrideGrant, reloadAccessFlags } from '../identity/access-flags/access-flags.ts';
import * as flagKeys from '../identity/access-flags/keys.ts';
import type { PermittedCaller } from '../identity/caller.ts';
import { users } from '../identity/users.ts';
import { buildProjectCheck, loadProject, type ProjectEnvironmentPath } from '../projects/projects.ts';
import type { Request } from '../request.ts';
import * as keys from '../store/keys.ts';
import { queryAll } from '../store/read.ts';
import { raiseCounter } from '../store/transactions/transact.ts';
import type { Write } from '../store/transactions/write.ts';
import { shortenText } from '../values/shorten-text.ts';
import { buildDraft } from './add-changes.ts';
import {
  awaitsReview,
  buildRequestEvent,
  type ChangeRequest,
  type Override,
  personIdsOf,
  personOf,
  withState,
} from './change-request.ts';
import type { OverrideInput, RequestPath, ShownOverride } from './change-request-schema.ts';
import { buildRequestCreation, buildRequestUpdate, changeRequests, loadChangeRequest } from './change-requests.ts';
import { withComment } from './comments.ts';
import * as changeRequestKeys from './keys.ts';
import { buildMailWrites } from './mails/outbox.ts';
import { assertImpartial, assertMayInEnvironments, assertNeedsApproval, loadRules, rulesOf } from './rules.ts';
import { toPersonView } from './views/views.ts';

const titleMax = 255;

/**
 * Lets the caller change an environment without approval for some minutes, in an emergency. The request of the override
 * is created at once, in the state "Applied", and later changes refer to it. So nothing has to be written at the end.
 * @throws ApiError 404 for an unknown project or environment; 403 for a token without a user, or if the environment
 * allows no override; 400 if changes need no approval, or for a caller who has an override there.
 */
export async function startOverride(
  request: Request,
  caller: PermittedCaller,
  path: ProjectEnvironmentPath,
  { reason, minutes }: OverrideInput,
): Promise<ShownOverride> {
  const { projectId, environment } = path;
  const started = await change(request, caller, {
    items: [flagKeys.override(projectId, environment, caller.id)],
    read: async () => {
      const [rules, user, grants, id] = await Promise.all([
        loadRules(request, projectId, environment),
        users.find(request, caller.id),
        loadGrants(request, path),
        raiseCounter(request, keys.counter('change-request'), 1),
      ]);
      return { rules, user, grants, id };
    },
    revisionOf: () => undefined,
    decide: ({ rules, user, grants, id }, at) => {
      assertNeedsApproval(rules, environment);
      if (user === undefined)
        throw new ApiError('NoAccessError', 'Only a person can override the approval of changes.');
      if (rules.overrideDelay === null)
        throw new ApiError('NoAccessError', `Nobody may override the approval of changes in "${environment}".`);
      const oldGrant = grants.find(({ holder }) => holder === caller.id);
      if (oldGrant !== undefined && oldGrant.until > at)
        throw invalid(`You have an override there until ${oldGrant.until}; end it first.`);
      const from = addMinutes(at, rules.overrideDelay);
      const until = addMinutes(from, minutes);
      const draft = {
        ...buildDraft({ id, projectId, environment }, caller, rules, at),
        contributors: personIdsOf(caller),
      };
      const title = shortenText(`Override: ${reason}`, titleMax);
      const titled = { ...draft, title, override: { reason, from, until } };
      const changeRequest = withComment(withState(titled, 'Applied', from), reason, caller, at);
      const grant: OverrideGrant = { id, project: projectId, environment, holder: caller.id, from, until };
      const expiresAtSeconds = Math.ceil(Date.parse(until) / 1_000);
      const events = [buildRequestEvent('change-request-override-started', changeRequest, { reason, from, until })];
      return {
        writes: [
          ...buildProjectCheck(projectId),
          ...buildRequestCreation(changeRequest, at).writes,
          {
            put: flagKeys.override(projectId, environment, caller.id),
            item: { ...grant, expiresAtSeconds },
            when: oldGrant === undefined ? 'absent' : { same: { id: oldGrant.id } },
          },
          ...buildMailWrites(undefined, changeRequest, events),
        ],
        events,
        result: toOverrideView(changeRequest, { reason, from, until }),
      };
    },
  });
  await reloadAccessFlags(request);
  return started;
}

function addMinutes(at: string, minutes: number): string {
  return new Date(Date.parse(at) + minutes * 60_000).toISOString();
}

function loadGrants(request: Request, { projectId, environment }: ProjectEnvironmentPath): Promise<OverrideGrant[]> {
  return queryAll<OverrideGrant>(request, flagKeys.overrides(projectId, environment));
}

/**
 * Lists the overrides of an environment that are active or will begin.
 * @throws ApiError 404 for an unknown project.
 */
export async function listOverrides(request: Request, path: ProjectEnvironmentPath): Promise<ShownOverride[]> {
  const [, grants] = await Promise.all([loadProject(request, path.projectId), loadGrants(request, path)]);
  const now = new Date().toISOString();
  const ids = grants.filter(({ until }) => until > now).map(({ id }) => id);
  const stored = await changeRequests.findSome(request, ids);
  return [...stored.values()].flatMap((changeRequest) =>
    changeRequest.override === undefined ? [] : [toOverrideView(changeRequest, changeRequest.override)],
  );
}

function toOverrideView({ id, createdBy }: ChangeRequest, { reason, from, until }: Override): ShownOverride {
  return { id, reason, createdBy: toPersonView(createdBy), from, until };
}

/**
 * Ends an override early, or vetoes it before it begins.
 * @throws ApiError 404 for an override that is unknown or has ended.
 */
export async function endOverride(
  request: Request,
  caller: PermittedCaller,
  { projectId, environment, id }: RequestPath & ProjectEnvironmentPath,
): Promise<void> {
  await change(request, caller, {
    items: [changeRequestKeys.changeRequest(id)],
    read: () => changeRequests.find(request, id),
    revisionOf: (before) => before,
    decide: (before, at) => {
      const { override } = before?.value ?? {};
      const isInEnvironment = before?.value.project === projectId && before.value.environment === environment;
      if (!isInEnvironment || override === undefined || override.until <= at) throw notFound('override', id);
      const endedBy = personOf(caller);
      const ended = { ...before.value, override: { ...override, until: at, endedBy } };
      const after = override.from <= at ? ended : withState(ended, 'Cancelled', at);
      const event = buildRequestEvent('change-request-override-ended', after, { reason: override.reason });
      const { writes, events } = buildRequestUpdate(before, after, [event]);
      return { writes: [...writes, buildGrantRemoval(after)], events, result: undefined };
    },
  });
  await reloadAccessFlags(request);
}

/** Builds the write that removes the grant of an override; it fails for a later grant of the same holder. */
function buildGrantRemoval({ id, project, environment, createdBy }: ChangeRequest): Write {
  return { remove: flagKeys.override(project, environment, createdBy.id), when: { same: { id } } };
}

/**
 * Records that another person has reviewed the changes under an override that has ended.
 * @throws ApiError 404 for an unknown request; 403 for a caller who may not approve there, or who took part in the
 * override; 400 for a request that is no override, is active, or was reviewed; 412 if `If-Match` does not match.
 */
export function reviewOverride(request: Request, caller: PermittedCaller, path: RequestPath, comment: string) {
  return change(request, caller, {
    items: [changeRequestKeys.changeRequest(path.id)],
    read: () =>
      awaitInOrder([
        loadChangeRequest(request, caller, path),
        loadProject(request, path.projectId),
        queryAll<OverrideGrant>(request, flagKeys.overrides(path.projectId)),
      ]),
    revisionOf: ([before]) => before,
    decide: ([before, project, grants], at) => {
      const { value: changeRequest, version } = before;
      const { override, environment } = changeRequest;
      const rules = rulesOf(project, environment);
      assertMayInEnvironments(caller, 'APPROVE_CHANGE_REQUEST', changeRequest, rules);
      assertImpartial(caller, changeRequest, rules);
      if (override === undefined || !awaitsReview(changeRequest))
        throw invalid('The request is not an override that awaits a review.');
      if (override.until > at) throw invalid(`The override is active until ${override.until}; end it first.`);
      const reviewedBy = personOf(caller);
      const reviewed = { ...changeRequest, override: { ...override, reviewedBy, reviewedAt: at } };
      const after = withComment(reviewed, comment, caller, at);
      const event = buildRequestEvent('change-request-override-reviewed', after, { comment });
      const { writes, events } = buildRequestUpdate(before, after, [event]);
      return {
        // Without its grant, a process whose clock is late cannot use the override after the review.
        writes: [
          ...writes,
          ...(grants.some(({ id }) => id === changeRequest.id) ? [buildGrantRemoval(changeRequest)] : []),
        ],
        events,
        result: { value: undefined, version: version + 1 },
      };
    },
  });
}
