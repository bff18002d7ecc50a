import { change } from '../entity/change.ts';
import { ApiError, type ErrorDetail, invalid, invalidRequest, notFound } from '../errors.ts';
import { environmentOfFeature, type Feature } from '../features/feature.ts';
import { viewPlan } from '../features/plans/view-plan.ts';
import { awaitInOrder } from '../helpers/await-in-order.ts';
import type { PermittedCaller } from '../identity/caller.ts';
import { assertRoom } from '../limits.ts';
import { loadProject, type ProjectEnvironmentPlace } from '../projects/projects.ts';
import type { Request } from '../request.ts';
import { segmentViewOf } from '../segments/segments.ts';
import * as keys from '../store/keys.ts';
import { raiseCounter } from '../store/transactions/transact.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import type { ChangeInput, ChangesInput } from './change-input-schema.ts';
import {
  addDays,
  approvalsOf,
  authorKey,
  buildChange,
  buildChangeEvent,
  buildRequestEvent,
  type ChangeRequest,
  changesBytesMax,
  contentHashOf,
  isBy,
  isPending,
  isSwitchingOn,
  type Participant,
  personIdsOf,
  personOf,
  proposalExpiryDays,
  type RequestedChange,
  withState,
} from './change-request.ts';
import { type ChangePath, changesMax, type RequestPath } from './change-request-schema.ts';
import {
  buildRequestCreation,
  buildRequestRemoval,
  buildRequestUpdate,
  findPending,
  loadChangeRequest,
  loadProposals,
} from './change-requests.ts';
import { describeInvalidApprovals, withNote } from './comments.ts';
import * as changeRequestKeys from './keys.ts';
import { baseOf, type FeatureChangeInput, inputOf, segmentIdOf } from './plan/base.ts';
import { addTemplate, type LoadedPlan, loadRequestPlan } from './plan/load-plan.ts';
import { planRequest, type RequestPlan, usesOf } from './plan/plan.ts';
import { changesExistingPlan } from './plan/plan-parts.ts';
import { assertMember, assertNeedsApproval, countRequiredApprovals, loadRules, type Rules } from './rules.ts';

/** The most open proposals of an agent, in all projects. */
const openProposalsMax = 20;

/** The most changes of a proposal of an agent: more are too many for a person to check. */
const proposedChangesMax = 50;

/**
 * Adds changes to the request that the input names. If it names none, adds those of a person to their pending request in the
 * environment, or to a new one, and those of an agent to a new one. Approvals of the request become invalid.
 * @param assertMayJoin throws if the changes must not be added to the pending request.
 * @throws ApiError 404 for an unknown project, environment, feature or segment; 403 for a caller who is not a member;
 * 400 if changes of a person need no approval there, for changes that cannot be made, or for too many changes or open proposals.
 */
export function addChanges(
  request: Request,
  caller: PermittedCaller,
  { projectId, environment }: ProjectEnvironmentPlace,
  input: ChangesInput,
  assertMayJoin: (pending: ChangeRequest) => void = () => {},
): Promise<Versioned<ChangeRequest>> {
  const { changes: inputs, pathOf, title, reason, changeRequest: named } = readInput(input);
  const loadTarget = async () => {
    if (named !== undefined) return loadChangeRequest(request, caller, { projectId, id: named });
    // Each call of an agent makes a proposal of its own.
    return caller.agent === undefined ? findPending(request, caller, projectId, environment) : undefined;
  };
  return change(request, caller, {
    of: [
      named === undefined
        ? changeRequestKeys.pendingChangeRequest(projectId, environment, authorKey(caller))
        : changeRequestKeys.changeRequest(named),
    ],
    likelyEvents: inputs.length + 1,
    read: async () => {
      const [rules, pending, proposals] = await Promise.all([
        loadRules(request, projectId, environment),
        loadTarget(),
        caller.agent && named === undefined ? loadProposals(request, caller.agent) : undefined,
      ]);
      // Checked before `raiseCounter`, so that a refused request takes no id.
      if (pending?.value.createdBy.agent === undefined && caller.agent === undefined)
        assertNeedsApproval(rules, environment);
      const place = proposals && takePlace(proposals);
      const { changes = [], lastId = 0 } = pending?.value ?? {};
      const at = new Date().toISOString();
      const added = await Promise.all(
        inputs.map((changeInput, index) =>
          addTemplate(request, buildChange(changeInput, lastId + index + 1, undefined, caller, at)),
        ),
      );
      const [loaded, id] = await Promise.all([
        loadRequestPlan(request, { project: projectId, environment, changes: [...changes, ...added] }),
        pending?.value.id ?? raiseCounter(request, keys.counter('change-request'), 1),
      ]);
      return { rules, pending, added, loaded, id, place };
    },
    revisionOf: ({ pending }) => pending,
    decide: ({ rules, pending, added: withoutBase, loaded, id, place }, at) => {
      if (pending !== undefined) assertMayJoin(pending.value);
      const draft = pending?.value ?? buildDraft({ id, projectId, environment }, caller, rules, at, place);
      if (draft.environment !== environment)
        throw invalid(`The change request "${id}" is for the environment "${draft.environment}".`, 'changeRequest');
      assertEditable(draft, caller, rules);
      const most = draft.createdBy.agent === undefined ? changesMax : proposedChangesMax;
      if (draft.changes.length + withoutBase.length > most)
        throw invalid(`A change request has at most ${most} changes.`);
      const before = { ...draft, ...(title !== undefined && { title }), ...(reason !== undefined && { reason }) };
      const plan = assertPossible(request, loaded, withoutBase, pathOf, at);
      const added = withoutBase.map((addedChange) => addBase(addedChange, loaded));
      const edited = withChanges(before, addApprovedDefaults([...before.changes, ...added], plan, loaded), caller, at);
      const after = { ...edited, minApprovals: countRequiredApprovals(edited, rules) };
      const events = added.map((addedChange) => buildChangeEvent('change-added', after, addedChange));
      if (pending !== undefined) {
        return {
          ...buildRequestUpdate(pending, after, events),
          result: { value: after, version: pending.version + 1 },
        };
      }
      const { writes, version } = buildRequestCreation(after, at);
      return {
        // The transaction fails if the project or its rules have changed.
        writes: [rules.rightsCondition, ...writes],
        events: [buildRequestEvent('change-request-created', after), ...events],
        result: { value: after, version },
      };
    },
  });
}

/** The parts of an input in any of its forms. */
interface AddedChanges {
  readonly changes: readonly ChangeInput[];
  readonly title?: string;
  readonly reason?: string;
  readonly changeRequest?: number;
  /** Returns the path of a change in the input. */
  readonly pathOf: (index: number) => readonly (string | number)[];
}

function readInput(input: ChangesInput): AddedChanges {
  if (Array.isArray(input)) return { changes: input, pathOf: (index) => [index] };
  if ('changes' in input) return { ...input, pathOf: (index) => ['changes', index] };
  return { changes: [input], pathOf: () => [] };
}

/**
 * Returns the first free place for an open proposal.
 * @throws ApiError 400 if there is none.
 */
function takePlace(taken: ReadonlyMap<number, number>): number {
  assertRoom(taken.size, openProposalsMax, 'open proposals of one agent');
  let place = 0;
  while (taken.has(place)) place += 1;
  return place;
}

/**
 * Returns the request with other changes by a contributor. Approvals become invalid, and a comment names the approvers.
 * @throws ApiError 400 for changes that are too large.
 * @internal
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

/**
 * Builds a draft without changes. That of an agent needs an approval everywhere, and is cancelled after some weeks.
 * @param place the place for an open proposal of an agent.
 */
export function buildDraft(
  { id, projectId, environment }: ProjectEnvironmentPlace & { readonly id: number },
  author: PermittedCaller,
  { required }: Rules,
  at: string,
  place?: number,
): ChangeRequest {
  return {
    id,
    ...(place !== undefined && { place, expiresAt: addDays(at, proposalExpiryDays) }),
    project: projectId,
    environment,
    createdBy: personOf(author),
    createdAt: at,
    state: 'Draft',
    minApprovals: author.agent === undefined ? required : Math.max(1, required),
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
function addApprovedDefaults(
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
function assertPossible(
  request: Request,
  loaded: LoadedPlan,
  added: readonly RequestedChange[],
  pathOf: AddedChanges['pathOf'],
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
 * Replaces a change of a request by another one of the same action, based on the present values, under a new id.
 * Approvals become invalid.
 * @throws ApiError 403 for callers other than the author; 404 for an unknown request or change; 400 for another action,
 * or if the request can no longer be edited; 412 if `If-Match` does not match.
 */
export function editChange(request: Request, caller: PermittedCaller, path: ChangePath, input: ChangeInput) {
  return change(request, caller, {
    of: [changeRequestKeys.changeRequest(path.id)],
    read: async () => {
      const [before, loadedProject] = await loadEditable(request, caller, path);
      const { project, environment, changes, lastId } = before.value;
      const built = buildChange(input, lastId + 1, undefined, caller, new Date().toISOString());
      const replacement = await addTemplate(request, built);
      const next = changes.map((old) => (old.id === path.changeId ? replacement : old));
      const loaded = await loadRequestPlan(request, { project, environment, changes: next });
      return { before, project: loadedProject, replacement, loaded };
    },
    revisionOf: ({ before }) => before,
    decide: ({ before, project, replacement, loaded }, at) => {
      assertEditable(before.value, caller, { project });
      const old = requireChange(before.value, path.changeId);
      if (old.action !== replacement.action || old.feature !== replacement.feature)
        throw invalid('An edited change must have the same action and the same feature as before.', 'action');
      const plan = assertPossible(request, loaded, [replacement], () => [], at);
      const edited = addBase(replacement, loaded);
      const changes = before.value.changes.map((other) => (other === old ? edited : other));
      const after = withChanges(before.value, addApprovedDefaults(changes, plan, loaded), caller, at);
      return {
        ...buildRequestUpdate(before, after, [buildChangeEvent('change-edited', after, edited)]),
        result: { value: after, version: before.version + 1 },
      };
    },
  });
}

/**
 * Removes a change from a request; removing the last change of a draft removes the draft. Approvals become invalid.
 * @throws ApiError 403 for callers other than the author; 404 for an unknown request or change; 400 if the request can no
 * longer be edited, or for the last change of a request other than a draft; 412 if `If-Match` does not match.
 */
export function discardChange(request: Request, caller: PermittedCaller, path: ChangePath): Promise<void> {
  return change(request, caller, {
    of: [changeRequestKeys.changeRequest(path.id)],
    read: async () => {
      const [before, project] = await loadEditable(request, caller, path);
      const changes = before.value.changes.filter(({ id }) => id !== path.changeId);
      const changesSegments = before.value.changes.some(({ feature }) => feature === null);
      const loaded =
        changesSegments || changes.some(isSwitchingOn)
          ? await loadRequestPlan(request, { ...before.value, changes })
          : undefined;
      return { before, project, remaining: changes, loaded };
    },
    revisionOf: ({ before }) => before,
    decide: ({ before, project, remaining, loaded }, at) => {
      assertEditable(before.value, caller, { project });
      const old = requireChange(before.value, path.changeId);
      const changes = loaded ? addApprovedDefaults(remaining, planRequest(request, loaded, at), loaded) : remaining;
      if (changes.length === 0) {
        if (before.value.state !== 'Draft')
          throw invalid('The last change of a request cannot be removed; cancel the request instead.');
        return decideDiscard(before);
      }
      const after = withChanges(before.value, changes, caller, at);
      return {
        ...buildRequestUpdate(before, after, [buildChangeEvent('change-discarded', after, old)]),
        result: undefined,
      };
    },
  });
}

/** Decides to discard a draft. */
export function decideDiscard(before: Versioned<ChangeRequest>) {
  return {
    writes: buildRequestRemoval(before),
    events: [buildRequestEvent('change-request-discarded', before.value)],
    result: undefined,
  };
}

function loadEditable(request: Request, caller: PermittedCaller, path: RequestPath) {
  return awaitInOrder([loadChangeRequest(request, caller, path), loadProject(request, path.projectId)]);
}

/**
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

function requireChange({ changes }: ChangeRequest, id: number): RequestedChange {
  const requested = changes.find((candidate) => candidate.id === id);
  if (requested === undefined) throw notFound('change', id);
  return requested;
}
