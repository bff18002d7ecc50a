import { ApiError, type ErrorDetail, invalid, invalidRequest } from '../errors.ts';
import { environmentOfFeature, type Feature } from '../features/feature.ts';
import { viewPlan } from '../features/plans/view-plan.ts';
import type { PermittedCaller } from '../identity/caller.ts';
import type { Request } from '../request.ts';
import { segmentViewOf } from '../segments/segments.ts';
import {
  approvalsOf,
  type ChangeRequest,
  changesBytesMax,
  contentHashOf,
  isBy,
  isPending,
  isSwitchingOn,
  type Participant,
  personIdsOf,
  type RequestedChange,
  withState,
} from './change-request.ts';
import { describeInvalidApprovals, withNote } from './comments.ts';
import { baseOf, type FeatureChangeInput, inputOf, segmentIdOf } from './plan/base.ts';
import type { LoadedPlan } from './plan/load-plan.ts';
import { planRequest, type RequestPlan, usesOf } from './plan/plan.ts';
import { changesExistingPlan } from './plan/plan-parts.ts';
import { assertMember, type Rules } from './rules.ts';

/**
 * Returns the request with other changes by a contributor. Approvals become invalid, and a comment names the approvers.
 * @throws ApiError 400 for changes that are too large.
 */
export function withChanges(
  before: ChangeRequest,
  changes: readonly RequestedChange[],
  contributor: Participant,
  at: string,
): ChangeRequest {
  if (Buffer.byteLength(JSON.stringify(changes)) > changesBytesMax)
    throw invalid(`The changes of a change request take at most ${changesBytesMax} bytes.`);
  const edited = {
    ...before,
    changes,
    lastId: Math.max(before.lastId, ...changes.map(({ id }) => id)),
    contributors: [...new Set([...before.contributors, ...personIdsOf(contributor)])],
    contentHash: contentHashOf(before.environment, changes),
    // Also for the same content, since the old values can have changed.
    approvals: [],
  };
  const next = before.state === 'Approved' ? withState(edited, 'In review', at) : edited;
  const clause = describeInvalidApprovals(approvalsOf(before));
  return clause === undefined ? next : withNote(next, `Edited the changes, so ${clause}.`, contributor, at);
}

/** Adds the present value of the changed thing, its release plan, and the digests of used segments to a change. */
export function addBase({ uses: _uses, ...change }: RequestedChange, loaded: LoadedPlan): RequestedChange {
  const { requested, features, segments } = loaded;
  const { segment } = segments.find(({ id }) => change.feature === null && id === segmentIdOf(change)) ?? {};
  const { stored } = features.find(({ name }) => name === change.feature) ?? {};
  const base = segment
    ? segmentViewOf(segment.value)
    : stored && baseOf(inputOf(change) as FeatureChangeInput, stored.feature, requested.environment);
  const plan =
    stored && changesExistingPlan(inputOf(change)) ? viewPlanOf(stored.feature, requested.environment) : undefined;
  const uses = usesOf(change, loaded);
  return { ...change, ...(base !== undefined && { base }), ...(plan && { plan }), ...(uses && { uses }) };
}

function viewPlanOf(feature: Feature, environment: string): RequestedChange['plan'] {
  const { plan, nextAt } = environmentOfFeature(feature, environment);
  return plan && viewPlan(plan, { feature: feature.name, environment }, nextAt);
}

/**
 * Adds the default strategies that changes give to features now, and the digests of the used segments that the request
 * itself does not change. Both are approved with the changes.
 */
export function addApprovedDefaults(
  changes: readonly RequestedChange[],
  plan: RequestPlan,
  loaded: LoadedPlan,
): RequestedChange[] {
  const defaults = new Map(
    plan.features.flatMap(({ defaultStrategy }) =>
      defaultStrategy ? [[defaultStrategy.change, defaultStrategy.content] as const] : [],
    ),
  );
  return changes.map((change) => {
    const { adds: _adds, uses: before, ...bare } = change;
    const adds = defaults.get(change.id);
    const next = { ...bare, ...(adds && { adds }) };
    const uses = { ...usesOf(next, loaded), ...(!isSwitchingOn(change) && before) };
    return { ...next, ...(Object.keys(uses).length > 0 && { uses }) };
  });
}

/**
 * Plans a request with new changes.
 * @param pathOf returns the path of a change in the body, for the paths in errors.
 * @throws ApiError the error of the direct change, if one of the new changes cannot be made; 400 with all errors, if
 * several cannot.
 */
export function assertPossible(
  request: Request,
  loaded: LoadedPlan,
  added: readonly RequestedChange[],
  pathOf: (index: number) => readonly (string | number)[],
  at: string,
): RequestPlan {
  const plan = planRequest(request, loaded, at);
  const errors = plan.conflicts.flatMap(({ change: id, error }) => {
    const index = added.findIndex((addedChange) => addedChange.id === id);
    if (error === undefined || index < 0) return [];
    const details = error.details.map(({ message, path }): ErrorDetail => {
      const fullPath = [...pathOf(index), ...(path === undefined ? [] : ['payload', path])].join('.');
      return fullPath === '' ? { message } : { message, path: fullPath };
    });
    return [{ error, details }];
  });
  const [first, second] = errors;
  if (first === undefined) return plan;
  if (second === undefined) throw new ApiError(first.error.name, first.error.message, first.details);
  throw invalidRequest(errors.flatMap(({ details }) => details));
}

/**
 * Requires that a caller may edit a change request.
 * @throws ApiError 403 for callers other than the author, or an author who is no longer a member; 400 if the request can
 * no longer be edited.
 */
export function assertEditable(
  changeRequest: ChangeRequest,
  caller: PermittedCaller,
  rules: Pick<Rules, 'project'>,
): void {
  if (!isBy(caller, changeRequest)) throw new ApiError('NoAccessError', 'Only its author can edit a change request.');
  assertMember(caller, rules);
  if (!isPending(changeRequest)) throw invalid(`A change request that is ${changeRequest.state} cannot be edited.`);
  if (changeRequest.applied !== undefined)
    throw invalid('A part of the change request has been applied; apply it again to complete it.');
}
