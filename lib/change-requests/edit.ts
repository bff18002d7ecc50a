import { change } from '../entity/change.ts';
import { ApiError, type ErrorDetail, invalid, invalidRequest, notFound } from '../errors.ts';
import { awaitInOrder } from '../helpers/run-all.ts';
import type { PermittedCaller } from '../identity/caller.ts';
import { loadProject, type ProjectEnvironmentPlace } from '../projects/projects.ts';
import type { Request } from '../request.ts';
import { segmentViewOf } from '../segments/segments.ts';
import * as keys from '../store/keys.ts';
import { raiseCounter } from '../store/transactions/transact.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import type { ChangeInput } from './change-input-schema.ts';
import {
  approvalsOf,
  authorKey,
  type ChangeRequest,
  changeEvent,
  changesBytesMax,
  contentHashOf,
  inState,
  isBy,
  isPending,
  isSwitchingOn,
  newChange,
  type Party,
  peopleBehind,
  personOf,
  type RequestedChange,
  requestEvent,
} from './change-request.ts';
import { type ChangePlace, changesMax, type RequestPlace } from './change-request-schema.ts';
import { findPending, loadChangeRequest, requestCreated, requestRemoved, requestUpdated } from './change-requests.ts';
import { describeVoid, withNote } from './comments.ts';
import * as changeRequestKeys from './keys.ts';
import { baseOf, type FeatureChangeInput, inputOf, segmentIdOf } from './plan/base.ts';
import { type LoadedPlan, loadRequestPlan, planRequest, type RequestPlan, usesOf } from './plan/plan.ts';
import { assertMember, assertNeedsApproval, countRequiredApprovals, loadRules, type Rules } from './rules.ts';

/**
 * Adds changes to the request of the caller in an environment that they can still edit, or to a new one. What was
 * approved of it is open again.
 * @param assertJoins throws for a request that they may edit where the changes belong into one of their own.
 * @throws ApiError 404 for an unknown project or environment, and for what the changes are about; 403 for who is no
 * member; 400 where changes need no approval there, for changes that could not be made, and for too many.
 */
export function addChanges(
  request: Request,
  caller: PermittedCaller,
  { projectId, environment }: ProjectEnvironmentPlace,
  asked: ChangeInput | readonly ChangeInput[],
  assertJoins: (pending: ChangeRequest) => void = () => {},
): Promise<Versioned<ChangeRequest>> {
  const [inputs, isList] = [[asked].flat() as ChangeInput[], Array.isArray(asked)];
  return change(request, caller, {
    of: [changeRequestKeys.pendingChangeRequest(projectId, environment, authorKey(caller))],
    likelyEvents: inputs.length + 1,
    read: async () => {
      const [rules, pending] = await Promise.all([
        loadRules(request, projectId, environment),
        findPending(request, caller, projectId, environment),
      ]);
      // Before it takes an id.
      assertNeedsApproval(rules, environment);
      const { changes = [], lastId = 0 } = pending?.value ?? {};
      const at = new Date().toISOString();
      const added = inputs.map((input, index) => newChange(input, lastId + index + 1, undefined, caller, at));
      const [loaded, id] = await Promise.all([
        loadRequestPlan(request, { project: projectId, environment, changes: [...changes, ...added] }),
        pending?.value.id ?? raiseCounter(request, keys.counter('change-request'), 1),
      ]);
      return { rules, pending, added, loaded, id };
    },
    revisionOf: ({ pending }) => pending,
    decide: ({ rules, pending, added: bare, loaded, id }, at) => {
      if (pending !== undefined) assertJoins(pending.value);
      const before = pending?.value ?? newRequest({ id, projectId, environment }, caller, rules, at);
      assertEditable(before, caller, rules);
      if (before.changes.length + bare.length > changesMax)
        throw invalid(`A change request has at most ${changesMax} changes.`);
      const plan = assertPossible(request, loaded, bare, isList, at);
      const added = bare.map((each) => addBasis(each, loaded));
      const edited = withChanges(before, withDefaults([...before.changes, ...added], plan, loaded), caller, at);
      const after = { ...edited, minApprovals: countRequiredApprovals(edited, rules) };
      const events = added.map((each) => changeEvent('change-added', after, each));
      if (pending !== undefined) {
        return { ...requestUpdated(pending, after, events), result: { value: after, version: pending.version + 1 } };
      }
      const { writes, version } = requestCreated(after, at);
      return {
        // The project still has the environment.
        writes: [rules.standing, ...writes],
        events: [requestEvent('change-request-created', after), ...events],
        result: { value: after, version },
      };
    },
  });
}

/**
 * Returns the request with other changes, by a contributor; whatever was approved is open again, and a comment says whose
 * approval that was.
 * @throws ApiError 400 for changes that would leave no room for comments and decisions.
 * @internal
 */
export function withChanges(
  before: ChangeRequest,
  changes: readonly RequestedChange[],
  by: Party,
  at: string,
): ChangeRequest {
  if (Buffer.byteLength(JSON.stringify(changes)) > changesBytesMax)
    throw invalid(`The changes of a change request take at most ${changesBytesMax} bytes.`);
  const edited = {
    ...before,
    changes,
    lastId: Math.max(before.lastId, ...changes.map(({ id }) => id)),
    contributors: [...new Set([...before.contributors, ...peopleBehind(by)])],
    contentHash: contentHashOf(before.environment, changes),
    // Also where it asks for the same again: it may be made on something else.
    approvals: [],
  };
  const next = before.state === 'Approved' ? inState(edited, 'In review', at) : edited;
  const clause = describeVoid(approvalsOf(before));
  return clause === undefined ? next : withNote(next, `Edited the changes, so ${clause}.`, by, at);
}

/** Returns a request that asks for nothing yet. */
export function newRequest(
  { id, projectId, environment }: ProjectEnvironmentPlace & { readonly id: number },
  by: PermittedCaller,
  { required }: Rules,
  at: string,
): ChangeRequest {
  return {
    id,
    project: projectId,
    environment,
    createdBy: personOf(by),
    createdAt: at,
    state: 'Draft',
    minApprovals: required,
    changes: [],
    lastId: 0,
    contributors: [],
    contentHash: contentHashOf(environment, []),
    approvals: [],
    rejections: [],
    comments: [],
    reviewers: [],
    stateTimestamps: { Draft: at },
  };
}

/** Returns a change with the part that it is made on now. */
export function addBasis({ uses: _uses, ...bare }: RequestedChange, loaded: LoadedPlan): RequestedChange {
  const { asked, features, segments } = loaded;
  const { segment } = segments.find(({ id }) => bare.feature === null && id === segmentIdOf(bare)) ?? {};
  const { stored } = features.find(({ name }) => name === bare.feature) ?? {};
  const base = segment
    ? segmentViewOf(segment.value)
    : stored && baseOf(inputOf(bare) as FeatureChangeInput, stored.feature, asked.environment);
  const uses = usesOf(bare, loaded);
  return { ...bare, ...(base !== undefined && { base }), ...(uses && { uses }) };
}

/**
 * Returns changes with the default strategies that they add to features as of now, and with the segments that the request changes
 * no more itself: these are approved with them.
 */
function withDefaults(changes: readonly RequestedChange[], plan: RequestPlan, loaded: LoadedPlan): RequestedChange[] {
  const defaults = new Map(
    plan.features.flatMap(({ defaultStrategy: added }) => (added ? [[added.change, added.content] as const] : [])),
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
 * Decides on a request with new changes.
 * @param isList whether the places of mistakes are those of a list of changes.
 * @throws ApiError the error that the direct change would be, with the place of the change, where one of the new changes
 * cannot be made; 400 that names all of several.
 */
function assertPossible(
  request: Request,
  loaded: LoadedPlan,
  added: readonly RequestedChange[],
  isList: boolean,
  at: string,
): RequestPlan {
  const plan = planRequest(request, loaded, at);
  const errors = plan.conflicts.flatMap(({ change: id, error }) => {
    const index = added.findIndex((each) => each.id === id);
    if (error === undefined || index < 0) return [];
    const details = error.details.map(({ message, path }): ErrorDetail => {
      const place = [...(isList ? [index] : []), ...(path === undefined ? [] : ['payload', path])].join('.');
      return place === '' ? { message } : { message, path: place };
    });
    return [{ error, details }];
  });
  const [first, second] = errors;
  if (first === undefined) return plan;
  if (second === undefined) throw new ApiError(first.error.name, first.error.message, first.details);
  throw invalidRequest(errors.flatMap(({ details }) => details));
}

/**
 * Replaces a change of a request by another one of the same kind, made on what is there now; it gets a new id. What was
 * approved is open again.
 * @throws ApiError 403 for anybody but the author; 404 for an unknown request or change; 400 for one of another kind,
 * and where the request cannot be edited any more; 412 by `If-Match`.
 */
export function editChange(request: Request, caller: PermittedCaller, place: ChangePlace, input: ChangeInput) {
  return change(request, caller, {
    of: [changeRequestKeys.changeRequest(place.id)],
    read: async () => {
      const [before, ofProject] = await loadEditable(request, caller, place);
      const { project, environment, changes, lastId } = before.value;
      const bare = newChange(input, lastId + 1, undefined, caller, new Date().toISOString());
      const next = changes.map((each) => (each.id === place.changeId ? bare : each));
      const loaded = await loadRequestPlan(request, { project, environment, changes: next });
      return { before, project: ofProject, bare, loaded };
    },
    revisionOf: ({ before }) => before,
    decide: ({ before, project, bare, loaded }, at) => {
      assertEditable(before.value, caller, { project });
      const old = requireChange(before.value, place.changeId);
      if (old.action !== bare.action || old.feature !== bare.feature)
        throw invalid('A change is edited into another one of the same kind, of the same feature.', 'action');
      const plan = assertPossible(request, loaded, [bare], false, at);
      const edited = addBasis(bare, loaded);
      const changes = before.value.changes.map((each) => (each === old ? edited : each));
      const after = withChanges(before.value, withDefaults(changes, plan, loaded), caller, at);
      return {
        ...requestUpdated(before, after, [changeEvent('change-edited', after, edited)]),
        result: { value: after, version: before.version + 1 },
      };
    },
  });
}

/**
 * Takes a change out of a request; a draft goes with its last one. What was approved is open again.
 * @throws ApiError 403 for anybody but the author; 404 for an unknown request or change; 400 where it cannot be edited
 * any more, and for the last change of a request that is no draft; 412 by `If-Match`.
 */
export function discardChange(request: Request, caller: PermittedCaller, place: ChangePlace): Promise<void> {
  return change(request, caller, {
    of: [changeRequestKeys.changeRequest(place.id)],
    read: async () => {
      const [before, project] = await loadEditable(request, caller, place);
      const changes = before.value.changes.filter(({ id }) => id !== place.changeId);
      const isOfSegments = before.value.changes.some(({ feature }) => feature === null);
      const loaded =
        isOfSegments || changes.some(isSwitchingOn)
          ? await loadRequestPlan(request, { ...before.value, changes })
          : undefined;
      return { before, project, left: changes, loaded };
    },
    revisionOf: ({ before }) => before,
    decide: ({ before, project, left, loaded }, at) => {
      assertEditable(before.value, caller, { project });
      const old = requireChange(before.value, place.changeId);
      const changes = loaded ? withDefaults(left, planRequest(request, loaded, at), loaded) : left;
      if (changes.length === 0) {
        if (before.value.state !== 'Draft')
          throw invalid('The last change of a request stays in it; cancel the request instead.');
        return decideDiscard(before);
      }
      const after = withChanges(before.value, changes, caller, at);
      return { ...requestUpdated(before, after, [changeEvent('change-discarded', after, old)]), result: undefined };
    },
  });
}

/** Returns the effects of discarding a draft. */
export function decideDiscard(before: Versioned<ChangeRequest>) {
  return {
    writes: requestRemoved(before),
    events: [requestEvent('change-request-discarded', before.value)],
    result: undefined,
  };
}

function loadEditable(request: Request, caller: PermittedCaller, place: RequestPlace) {
  return awaitInOrder([loadChangeRequest(request, caller, place), loadProject(request, place.projectId)]);
}

/**
 * @throws ApiError 403 for anybody but the author, and for an author who is no member any more; 400 where the request cannot
 * be edited any more.
 * @internal
 */
export function assertEditable(one: ChangeRequest, caller: PermittedCaller, rules: Pick<Rules, 'project'>): void {
  if (!isBy(caller, one)) throw new ApiError('NoAccessError', 'Only its author edits a change request.');
  assertMember(caller, rules);
  if (!isPending(one)) throw invalid(`A change request that is ${one.state} cannot be edited.`);
  if (one.applied !== undefined)
    throw invalid('A part of the change request is applied already; apply it once more to complete it.');
}

function requireChange({ changes }: ChangeRequest, id: number): RequestedChange {
  const found = changes.find((each) => each.id === id);
  if (found === undefined) throw notFound('change', id);
  return found;
}
