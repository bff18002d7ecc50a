import type { Agent } from '../../events/agent-schema.ts';
import type { Caller } from '../../identity/caller.ts';
import { listProjectIds, loadProject, type Project, projects } from '../../projects/projects.ts';
import type { Request } from '../../request.ts';
import type { Versioned } from '../../store/transactions/versioned.ts';
import { loadCurrentState } from '../approvals.ts';
import { awaitsReview, type ChangeRequest, isBy, isClosed, isPending } from '../change-request.ts';
import type { ChangeRequestSearch, RequestPath, ScheduledQuery, ShownChangeRequest } from '../change-request-schema.ts';
import {
  changeRequests,
  findPending,
  listClosed,
  listOpen,
  loadChangeRequest,
  loadProposals,
  type Summary,
} from '../change-requests.ts';
import { loadCurrentPlan } from '../plan/plan.ts';
import { countRequiredApprovals, mayApprove, mayDecide, rulesOf } from '../rules.ts';
import { listChangesUnder } from './override-changes.ts';
import { type ShownChange, toChangeRequestView, toListedRequest } from './views.ts';

/** The most requests in the list of a project. */
const listedMax = 300;
/** The most requests that are counted; more would take too many reads. */
const countedMax = 10_000;
/** The most requests that are listed with their whole content. */
const wholeMax = 50;

/**
 * Reads a request, and the conflicts that prevent its application.
 * @throws ApiError 404 for a request that is unknown, of another project, or the draft of another person.
 */
export async function getChangeRequest(
  request: Request,
  caller: Caller,
  path: RequestPath,
): Promise<Versioned<ShownChangeRequest>> {
  const { value, ...versions } = await loadChangeRequest(request, caller, path);
  return { ...versions, value: await loadView(request, caller, value), shown: true };
}

/** Builds the view of a request from further reads. */
async function loadView(request: Request, caller: Caller, changeRequest: ChangeRequest): Promise<ShownChangeRequest> {
  const [plan, open, overrideChanges, [current]] = await Promise.all([
    loadCurrentPlan(request, changeRequest),
    listOpen(request, caller, changeRequest.project),
    changeRequest.override && listChangesUnder(request, changeRequest),
    loadCurrentStates(request, [changeRequest], loadProject(request, changeRequest.project)),
  ]);
  const scheduled = open.filter((other) => other.state === 'Scheduled' && other.id !== changeRequest.id);
  return toChangeRequestView(
    { ...(current ?? changeRequest), changes: overrideChanges ?? changeRequest.changes },
    plan,
    (change) =>
      scheduled.filter(
        ({ environment, changes }) =>
          changes.some((other) => isAboutSame(summarize(change), other)) &&
          (environment === changeRequest.environment || change.feature === null),
      ),
  );
}

/** Returns requests of a project with their present states and approvals; closed ones are unchanged. */
function loadCurrentStates<T extends ChangeRequest | Summary>(
  request: Request,
  all: readonly T[],
  loading: Promise<Project>,
): Promise<T[]> {
  return Promise.all(
    all.map(async (changeRequest) =>
      isClosed(changeRequest) || changeRequest.override
        ? changeRequest
        : loadCurrentState(request, changeRequest, rulesOf(await loading, changeRequest.environment)),
    ),
  );
}

function summarize({ feature, payload }: ShownChange) {
  return { feature, of: (payload as { readonly id?: string | number } | undefined)?.id };
}

function isAboutSame(a: { feature: string | null; of?: unknown }, b: { feature: string | null; of?: unknown }) {
  return a.feature === null ? b.feature === null && a.of === b.of : a.feature === b.feature;
}

/**
 * Lists the newest requests of a project, without drafts of other people.
 * @throws ApiError 404 for an unknown project.
 */
export async function listChangeRequests(request: Request, caller: Caller, project: string) {
  return (await listNewest(request, caller, project, listedMax)).map(toListedRequest);
}

async function listNewest(request: Request, caller: Caller, project: string, max: number): Promise<Summary[]> {
  const loading = loadProject(request, project);
  const [, open, closed] = await Promise.all([
    loading,
    listOpen(request, caller, project),
    listClosed(request, caller, project, max),
  ]);
  const newest = [...open, ...closed].toSorted((a, b) => b.id - a.id).slice(0, max);
  return loadCurrentStates(request, newest, loading);
}

/**
 * Lists the caller's pending requests in a project, with their whole content; for an agent, its own.
 * @throws ApiError 404 for an unknown project.
 */
export async function listPending(request: Request, caller: Caller, projectId: string): Promise<ShownChangeRequest[]> {
  const { environments } = await loadProject(request, projectId);
  const own =
    caller.agent === undefined
      ? await Promise.all(environments.map(({ name }) => findPending(request, caller, projectId, name)))
      : await listProposals(request, caller.agent);
  const pending = own.flatMap((stored) => stored?.value ?? []);
  return Promise.all(
    pending
      .filter((changeRequest) => changeRequest.project === projectId && isPending(changeRequest))
      .map((changeRequest) => loadView(request, caller, changeRequest)),
  );
}

/** Lists the open proposals of an agent. */
async function listProposals(request: Request, agent: Agent): Promise<Versioned<ChangeRequest>[]> {
  const ids = (await loadProposals(request, agent)).values();
  return [...(await changeRequests.findSomeVersioned(request, ids)).values()];
}

/**
 * Lists the open requests that change a feature, with their whole content.
 * @throws ApiError 404 for an unknown project.
 */
export async function listPendingFor(
  request: Request,
  caller: Caller,
  projectId: string,
  feature: string,
): Promise<ShownChangeRequest[]> {
  const [, open] = await Promise.all([loadProject(request, projectId), listOpen(request, caller, projectId)]);
  const ids = open.filter(({ changes }) => changes.some((change) => change.feature === feature)).map(({ id }) => id);
  const byId = await changeRequests.findSome(request, ids.slice(-wholeMax));
  return Promise.all([...byId.values()].map((changeRequest) => loadView(request, caller, changeRequest)));
}

/**
 * Counts the requests of a project that wait for the caller.
 * @throws ApiError 404 for an unknown project.
 */
export async function countActionable(request: Request, caller: Caller, projectId: string) {
  const loading = loadProject(request, projectId);
  const [project, open] = await Promise.all([loading, listOpen(request, caller, projectId)]);
  return {
    total: (await loadCurrentStates(request, open, loading)).filter((changeRequest) =>
      isWaitingFor(caller, changeRequest, project),
    ).length,
  };
}

/** Tells whether an open request waits for a caller, who can review it, apply it or schedule it again. */
function isWaitingFor(caller: Caller, changeRequest: Summary, project: Project): boolean {
  const rules = rulesOf(project, changeRequest.environment);
  if (
    changeRequest.state === 'In review' ||
    (awaitsReview(changeRequest) && String(changeRequest.override?.until) <= new Date().toISOString())
  )
    return mayApprove(caller, changeRequest, rules);
  if (changeRequest.state === 'Approved') return mayDecide(caller, 'APPLY_CHANGE_REQUEST', changeRequest, rules);
  return (
    changeRequest.schedule !== undefined && changeRequest.schedule.status !== 'pending' && isBy(caller, changeRequest)
  );
}

/**
 * Counts the requests of a project by state.
 * @throws ApiError 404 for an unknown project.
 */
export async function countChangeRequests(request: Request, caller: Caller, projectId: string) {
  const all = await listNewest(request, caller, projectId, countedMax);
  const withState = (state: string) => all.filter((changeRequest) => changeRequest.state === state).length;
  return {
    total: all.length,
    applied: withState('Applied'),
    approved: withState('Approved'),
    rejected: withState('Rejected'),
    reviewRequired: withState('In review'),
    scheduled: withState('Scheduled'),
  };
}

/**
 * Lists the scheduled requests that change the same features, the same strategy, or the variants of the same feature.
 * @throws ApiError 404 for an unknown project.
 */
export async function listScheduled(
  request: Request,
  caller: Caller,
  projectId: string,
  { feature = [], strategyId, variantForFlag }: ScheduledQuery,
) {
  const [, open] = await Promise.all([loadProject(request, projectId), listOpen(request, caller, projectId)]);
  const isTouched = ({ changes }: Summary) =>
    changes.some(
      (change) =>
        (change.feature !== null && feature.includes(change.feature)) ||
        (strategyId !== undefined && change.of === strategyId) ||
        (change.action === 'patchVariant' && change.feature === variantForFlag),
    );
  return open
    .filter((changeRequest) => changeRequest.state === 'Scheduled' && isTouched(changeRequest))
    .map(({ id, environment, title }) => ({ id, environment, ...(title !== undefined && { title }) }));
}

/** Searches the newest requests of each project that the caller sees. */
export async function searchChangeRequests(request: Request, caller: Caller, search: ChangeRequestSearch) {
  const { state, createdBy, requestedApproverId, offset, limit, sortBy = 'createdAt', sortOrder = 'desc' } = search;
  const openOrClosed = state?.values[0];
  const ids = await listProjectIds(request);
  const [lists, rules] = await Promise.all([
    Promise.all(
      ids.map((project) =>
        request.store.limiter(() =>
          Promise.all([
            openOrClosed === 'closed' ? [] : loadOpenNow(request, caller, project),
            openOrClosed === 'open' ? [] : listClosed(request, caller, project, listedMax),
          ]),
        ),
      ),
    ),
    sortBy === 'waiting' ? projects.findSome(request, ids) : undefined,
  ]);
  const isWaiting = (changeRequest: Summary) => {
    const project = rules?.get(changeRequest.project);
    return project !== undefined && isWaitingFor(caller, changeRequest, project);
  };
  const matches = lists
    .flat(2)
    .filter((changeRequest) => createdBy === undefined || createdBy.values.includes(String(changeRequest.createdBy.id)))
    .filter(
      ({ reviewers }) =>
        requestedApproverId === undefined || reviewers.some((id) => requestedApproverId.values.includes(String(id))),
    )
    .map((changeRequest) => ({ changeRequest, waits: Number(isWaiting(changeRequest)) }))
    .toSorted(
      (a, b) =>
        (a.waits - b.waits || compare(a.changeRequest, b.changeRequest, sortBy)) * (sortOrder === 'asc' ? 1 : -1) ||
        b.changeRequest.id - a.changeRequest.id,
    )
    .map(({ changeRequest }) => changeRequest);
  return { changeRequests: matches.slice(offset, offset + limit).map(toFoundView), total: matches.length };
}

async function loadOpenNow(request: Request, caller: Caller, project: string): Promise<Summary[]> {
  const open = await listOpen(request, caller, project);
  const mayLack = open.some(({ state }) => state === 'Approved');
  return mayLack ? loadCurrentStates(request, open, loadProject(request, project)) : open;
}

/** An open request, as a list of all shows it. */
export interface OpenRequest {
  readonly changeRequest: Summary;
  /** True if the reader could review or apply it now. */
  readonly isWaiting: boolean;
  /** The number of approvals that it needs. */
  readonly required: number;
}

/** Loads the open requests of all projects that the caller sees. */
export async function loadOpenRequests(request: Request, caller: Caller): Promise<OpenRequest[]> {
  const ids = await listProjectIds(request);
  const [lists, all] = await Promise.all([
    Promise.all(ids.map((project) => request.store.limiter(() => loadOpenNow(request, caller, project)))),
    projects.findSome(request, ids),
  ]);
  return lists.flat().flatMap((changeRequest) => {
    const project = all.get(changeRequest.project);
    if (project === undefined) return [];
    const rules = rulesOf(project, changeRequest.environment);
    return [
      {
        changeRequest,
        isWaiting: isWaitingFor(caller, changeRequest, project),
        required: countRequiredApprovals(changeRequest, rules),
      },
    ];
  });
}

/** The properties by which a search can sort, apart from "waiting"; others are ignored. */
const sortable = ['createdAt', 'title', 'project', 'environment', 'state'] as const;

function compare(a: Summary, b: Summary, by: string): number {
  const property = sortable.find((name) => name === by) ?? 'createdAt';
  const [first, second] = [a[property] ?? '', b[property] ?? ''];
  return first < second ? -1 : Number(first > second);
}

function toFoundView(changeRequest: Summary) {
  const { id, title, project, environment, createdAt, createdBy, state, schedule, override } =
    toListedRequest(changeRequest);
  return {
    id,
    ...(title !== undefined && { title }),
    project,
    environment,
    createdAt,
    createdBy,
    features: [...new Set(changeRequest.changes.flatMap(({ feature }) => feature ?? []))],
    segments: [
      ...new Set(changeRequest.changes.flatMap(({ feature, name }) => (feature === null && name ? [name] : []))),
    ],
    state,
    ...(schedule && { schedule }),
    ...(override && { override }),
  };
}
