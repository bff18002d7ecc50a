import type { Caller } from '../../identity/caller.ts';
import { listProjectIds, loadProject, type Project, projects } from '../../projects/projects.ts';
import type { Request } from '../../request.ts';
import type { Versioned } from '../../store/transactions/versioned.ts';
import { asItStands } from '../approvals.ts';
import { awaitsReview, type ChangeRequest, isBy, isClosed } from '../change-request.ts';
import type {
  ChangeRequestSearch,
  RequestPlace,
  ScheduledQuery,
  ShownChangeRequest,
} from '../change-request-schema.ts';
import {
  changeRequests,
  findPending,
  listClosed,
  listOpen,
  loadChangeRequest,
  type Summary,
} from '../change-requests.ts';
import { presentPlan } from '../plan/plan.ts';
import { environmentsOf, mayApprove, rulesIn } from '../rules.ts';
import { listChangesUnder } from './override-changes.ts';
import { changeRequestView, type ShownChange, toListedRequest } from './views.ts';

/** The number of requests in the list of a project, the newest ones. */
const listedMax = 300;
/** The number of requests that are counted, the newest ones: more would take too many reads. */
const countedMax = 10_000;
/** The number of requests whose whole content is read together. */
const wholeMax = 50;

/**
 * Reads a request with all that stands against it.
 * @throws ApiError 404 for one that is unknown, of another project, or the draft of somebody else.
 */
export async function getChangeRequest(
  request: Request,
  caller: Caller,
  place: RequestPlace,
): Promise<Versioned<ShownChangeRequest>> {
  const { value, ...versions } = await loadChangeRequest(request, caller, place);
  return { ...versions, value: await shownRequest(request, caller, value), shown: true };
}

/** Returns a request as replies show it. */
async function shownRequest(request: Request, caller: Caller, one: ChangeRequest): Promise<ShownChangeRequest> {
  const [plan, open, changed, [now]] = await Promise.all([
    presentPlan(request, one),
    listOpen(request, caller, one.project),
    one.override && listChangesUnder(request, one),
    asTheyStand(request, [one], loadProject(request, one.project)),
  ]);
  const scheduled = open.filter((each) => each.state === 'Scheduled' && each.id !== one.id);
  return changeRequestView({ ...(now ?? one), changes: changed ?? one.changes }, plan, (change) =>
    scheduled.filter(
      ({ environment, changes }) =>
        changes.some((other) => isAboutSame(summarized(change), other)) &&
        (environment === one.environment || change.feature === null),
    ),
  );
}

/** Returns requests of a project as they stand now; closed ones stay as they are. */
function asTheyStand<T extends ChangeRequest | Summary>(
  request: Request,
  all: readonly T[],
  loading: Promise<Project>,
): Promise<T[]> {
  return Promise.all(
    all.map(async (one) =>
      isClosed(one) || one.override ? one : asItStands(request, one, rulesIn(await loading, one.environment)),
    ),
  );
}

function summarized({ feature, payload }: ShownChange) {
  return { feature, of: (payload as { readonly id?: string | number } | undefined)?.id };
}

function isAboutSame(a: { feature: string | null; of?: unknown }, b: { feature: string | null; of?: unknown }) {
  return a.feature === null ? b.feature === null && a.of === b.of : a.feature === b.feature;
}

/**
 * Lists the newest requests of a project, without the drafts of others.
 * @throws ApiError 404 for an unknown project.
 */
export async function listChangeRequests(request: Request, caller: Caller, project: string) {
  return (await newestOf(request, caller, project, listedMax)).map(toListedRequest);
}

async function newestOf(request: Request, caller: Caller, project: string, max: number): Promise<Summary[]> {
  const loading = loadProject(request, project);
  const [, open, closed] = await Promise.all([
    loading,
    listOpen(request, caller, project),
    listClosed(request, caller, project, max),
  ]);
  const newest = [...open, ...closed].toSorted((a, b) => b.id - a.id).slice(0, max);
  return asTheyStand(request, newest, loading);
}

/**
 * Lists the requests of the caller in a project that they can still edit, each whole.
 * @throws ApiError 404 for an unknown project.
 */
export async function listPending(request: Request, caller: Caller, projectId: string): Promise<ShownChangeRequest[]> {
  const { environments } = await loadProject(request, projectId);
  const found = await Promise.all(environments.map(({ name }) => findPending(request, caller, projectId, name)));
  return Promise.all(found.flatMap((one) => (one === undefined ? [] : [shownRequest(request, caller, one.value)])));
}

/**
 * Lists the open requests that change a feature, each whole.
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
  const found = await changeRequests.some(request, ids.slice(-wholeMax));
  return Promise.all([...found.values()].map((one) => shownRequest(request, caller, one)));
}

/**
 * Counts the requests of a project for which the caller could do something now: review one of others, or apply one.
 * @throws ApiError 404 for an unknown project.
 */
export async function countActionable(request: Request, caller: Caller, projectId: string) {
  const loading = loadProject(request, projectId);
  const [project, open] = await Promise.all([loading, listOpen(request, caller, projectId)]);
  return { total: (await asTheyStand(request, open, loading)).filter((one) => waitsFor(caller, one, project)).length };
}

/** Tells whether a caller could do something now for an open request: review one of others, or apply one. */
function waitsFor(caller: Caller, one: Summary, project: Project): boolean {
  const rules = rulesIn(project, one.environment);
  if (one.state === 'In review' || (awaitsReview(one) && String(one.override?.until) <= new Date().toISOString()))
    return mayApprove(caller, one, rules);
  if (one.state === 'Approved')
    return environmentsOf(one, rules).every((each) => caller.may('APPLY_CHANGE_REQUEST', project.id, each));
  return one.schedule !== undefined && one.schedule.status !== 'pending' && isBy(caller, one);
}

/**
 * Counts the requests of a project by state.
 * @throws ApiError 404 for an unknown project.
 */
export async function countChangeRequests(request: Request, caller: Caller, projectId: string) {
  const all = await newestOf(request, caller, projectId, countedMax);
  const inState = (state: string) => all.filter((one) => one.state === state).length;
  return {
    total: all.length,
    applied: inState('Applied'),
    approved: inState('Approved'),
    rejected: inState('Rejected'),
    reviewRequired: inState('In review'),
    scheduled: inState('Scheduled'),
  };
}

/**
 * Lists the scheduled requests that a change of some features, of a strategy, or of the variants of a feature would touch.
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
    .filter((one) => one.state === 'Scheduled' && isTouched(one))
    .map(({ id, environment, title }) => ({ id, environment, ...(title !== undefined && { title }) }));
}

/** Searches the requests of all projects that the caller sees, of each the newest ones. */
export async function searchChangeRequests(request: Request, caller: Caller, search: ChangeRequestSearch) {
  const { state, createdBy, requestedApproverId, offset, limit, sortBy = 'createdAt', sortOrder = 'desc' } = search;
  const wanted = state?.values[0];
  const ids = await listProjectIds(request);
  const [lists, rules] = await Promise.all([
    Promise.all(
      ids.map((project) =>
        request.store.limiter(() =>
          Promise.all([
            wanted === 'closed' ? [] : openNow(request, caller, project),
            wanted === 'open' ? [] : listClosed(request, caller, project, listedMax),
          ]),
        ),
      ),
    ),
    sortBy === 'waiting' ? projects.some(request, ids) : undefined,
  ]);
  const isWaiting = (one: Summary) => {
    const project = rules?.get(one.project);
    return project !== undefined && waitsFor(caller, one, project);
  };
  const found = lists
    .flat(2)
    .filter((one) => createdBy === undefined || createdBy.values.includes(String(one.createdBy.id)))
    .filter(
      ({ reviewers }) =>
        requestedApproverId === undefined || reviewers.some((id) => requestedApproverId.values.includes(String(id))),
    )
    .map((one) => ({ one, waits: Number(isWaiting(one)) }))
    .toSorted(
      (a, b) =>
        (a.waits - b.waits || order(a.one, b.one, sortBy)) * (sortOrder === 'asc' ? 1 : -1) || b.one.id - a.one.id,
    )
    .map(({ one }) => one);
  return { changeRequests: found.slice(offset, offset + limit).map(foundView), total: found.length };
}

async function openNow(request: Request, caller: Caller, project: string): Promise<Summary[]> {
  const open = await listOpen(request, caller, project);
  const mayLack = open.some(({ state }) => state === 'Approved');
  return mayLack ? asTheyStand(request, open, loadProject(request, project)) : open;
}

/** Properties that a search sorts by, besides whether a request waits for the caller; it ignores others. */
const sortable = ['createdAt', 'title', 'project', 'environment', 'state'] as const;

function order(a: Summary, b: Summary, by: string): number {
  const property = sortable.find((each) => each === by) ?? 'createdAt';
  const [first, second] = [a[property] ?? '', b[property] ?? ''];
  return first < second ? -1 : Number(first > second);
}

function foundView(one: Summary) {
  const { id, title, project, environment, createdAt, createdBy, state, schedule, override } = toListedRequest(one);
  return {
    id,
    ...(title !== undefined && { title }),
    project,
    environment,
    createdAt,
    createdBy,
    features: [...new Set(one.changes.flatMap(({ feature }) => feature ?? []))],
    segments: [...new Set(one.changes.flatMap(({ feature, name }) => (feature === null && name ? [name] : [])))],
    state,
    ...(schedule && { schedule }),
    ...(override && { override }),
  };
}
