import { environmentOfFeature } from '../features/feature.ts';
import { patchBetween } from '../helpers/apply-patch.ts';
import type { Caller } from '../people/rights/caller.ts';
import { holdersOf } from '../people/rights/holders.ts';
import { users } from '../people/users.ts';
import { listProjectIds, loadProject } from '../projects/projects.ts';
import type { Request } from '../request.ts';
import { retryLostRaces } from '../store/transactions/retry.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import { transactionsOf } from './apply.ts';
import { approvalsOf, type ChangeRequest, isBy, isClosed } from './change-request.ts';
import type { ChangeRequestSearch, ScheduledQuery, ShownChangeRequest } from './change-request-schema.ts';
import {
  changeRequests,
  findPending,
  listClosed,
  listOpen,
  loadChangeRequest,
  type Summary,
} from './change-requests.ts';
import type { RequestPlace } from './edit.ts';
import { loadRequestPlan, plannedRequest, type RequestPlan } from './plan.ts';
import { changeRequestView, listedRequestView } from './views.ts';

/** The number of requests in the list of a project, the newest ones. */
const listedMax = 300;
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
export async function shownRequest(request: Request, caller: Caller, one: ChangeRequest): Promise<ShownChangeRequest> {
  const [plan, open] = await Promise.all([planOf(request, one), listOpen(request, caller, one.project)]);
  const scheduled = open.filter((each) => each.state === 'Scheduled' && each.id !== one.id);
  return changeRequestView(one, plan, (change) =>
    scheduled.filter(
      ({ environment, changes }) =>
        changes.some((other) => isAboutSame(summarized(change), other)) &&
        (environment === one.environment || change.feature === null),
    ),
  );
}

function summarized({ feature, payload }: ChangeRequest['changes'][number]) {
  return { feature, of: (payload as { readonly id?: string | number } | undefined)?.id };
}

function isAboutSame(
  a: { feature: string | null; of?: unknown },
  b: { feature: string | null; of?: unknown },
): boolean {
  return a.feature === null ? b.feature === null && a.of === b.of : a.feature === b.feature;
}

function planOf(request: Request, one: ChangeRequest): Promise<RequestPlan | undefined> {
  if (isClosed(one)) return Promise.resolve(undefined);
  return retryLostRaces(request, async () =>
    plannedRequest(request, await loadRequestPlan(request, one), new Date().toISOString()),
  );
}

/**
 * Lists the newest requests of a project, without the drafts of others.
 * @throws ApiError 404 for an unknown project.
 */
export async function listChangeRequests(request: Request, caller: Caller, project: string) {
  const [, open, closed] = await Promise.all([
    loadProject(request, project),
    listOpen(request, caller, project),
    listClosed(request, project, listedMax),
  ]);
  return [...open, ...closed]
    .toSorted((a, b) => b.id - a.id)
    .slice(0, listedMax)
    .map(listedRequestView);
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
  const [, open] = await Promise.all([loadProject(request, projectId), listOpen(request, caller, projectId)]);
  const may = (permission: 'APPROVE_CHANGE_REQUEST' | 'APPLY_CHANGE_REQUEST', { environment }: Summary) =>
    caller.may(permission, projectId, environment);
  const isActionable = (one: Summary) => {
    if (one.state === 'In review')
      return (
        !isBy(caller, one) && !approvalsOf(one).some((each) => isBy(caller, each)) && may('APPROVE_CHANGE_REQUEST', one)
      );
    if (one.state === 'Approved') return may('APPLY_CHANGE_REQUEST', one);
    return one.schedule !== undefined && one.schedule.status !== 'pending' && isBy(caller, one);
  };
  return { total: open.filter(isActionable).length };
}

/**
 * Counts the requests of a project by state.
 * @throws ApiError 404 for an unknown project.
 */
export async function countChangeRequests(request: Request, caller: Caller, projectId: string) {
  const all = await listChangeRequests(request, caller, projectId);
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
  const lists = await Promise.all(
    ids.map((project) =>
      request.store.limiter(() =>
        Promise.all([
          wanted === 'closed' ? [] : listOpen(request, caller, project),
          wanted === 'open' ? [] : listClosed(request, project, listedMax),
        ]),
      ),
    ),
  );
  const found = lists
    .flat(2)
    .filter((one) => createdBy === undefined || createdBy.values.includes(String(one.createdBy.id)))
    .filter(
      ({ reviewers }) =>
        requestedApproverId === undefined || reviewers.some((id) => requestedApproverId.values.includes(String(id))),
    )
    .toSorted((a, b) => order(a, b, sortBy) * (sortOrder === 'asc' ? 1 : -1) || b.id - a.id);
  return { changeRequests: found.slice(offset, offset + limit).map(foundView), total: found.length };
}

function order(a: Summary, b: Summary, by: string): number {
  const textOf = (one: Summary) => String((one as unknown as Record<string, unknown>)[by] ?? '');
  const [first, second] = [textOf(a), textOf(b)];
  return first < second ? -1 : Number(first > second);
}

function foundView(one: Summary) {
  const { id, title, project, environment, createdAt, createdBy, state, schedule, changes } = listed(one);
  return {
    id,
    ...(title !== undefined && { title }),
    project,
    environment,
    createdAt,
    createdBy,
    features: [...new Set(changes.flatMap(({ feature }) => feature ?? []))],
    segments: [...new Set(changes.flatMap(({ feature, name }) => (feature === null && name ? [name] : [])))],
    state,
    ...(schedule && { schedule }),
  };
}

function listed(one: Summary) {
  const { changes: _changes, ...shown } = { ...listedRequestView(one), changes: undefined };
  return { ...shown, changes: one.changes };
}

/**
 * Lists the users who may approve changes in an environment of a project.
 * @throws ApiError 404 for an unknown project.
 */
export async function availableReviewers(request: Request, projectId: string, environment: string) {
  const [, found] = await Promise.all([
    loadProject(request, projectId),
    holdersOf(request, 'APPROVE_CHANGE_REQUEST', projectId, environment),
  ]);
  return { reviewers: found.map(reviewerView) };
}

/**
 * Lists the users who are asked to review a request.
 * @throws ApiError 404 for an unknown request.
 */
export async function requestedReviewers(request: Request, caller: Caller, place: RequestPlace) {
  const { value } = await loadChangeRequest(request, caller, place);
  const found = await users.some(request, value.reviewers);
  return { reviewers: [...found.values()].map(reviewerView) };
}

function reviewerView({ id, email, name, username }: { id: number; email?: string; name?: string; username?: string }) {
  return { id, email: email ?? '', ...(name && { name }), ...(username && { username }), imageUrl: '' };
}

/**
 * Returns the effects that applying a request would have now: the patches of each feature and segment, the events, and what stands against
 * it.
 * @throws ApiError 404 for an unknown request.
 */
export async function previewChangeRequest(request: Request, caller: Caller, place: RequestPlace) {
  const { value } = await loadChangeRequest(request, caller, place);
  const plan = (await planOf(request, value)) ?? { features: [], segments: [], conflicts: [], conditions: [] };
  const stateOf = (feature: Parameters<typeof environmentOfFeature>[0]) => ({
    archived: feature.archivedAt !== null,
    dependencies: feature.dependencies,
    ...environmentOfFeature(feature, value.environment),
  });
  return {
    contentHash: value.contentHash,
    transactions: transactionsOf(request, value, plan),
    features: plan.features.flatMap(({ name, stored, after }) =>
      stored === undefined || after === undefined
        ? []
        : [{ name, patch: patchBetween(stateOf(stored.feature), stateOf(after)) }],
    ),
    segments: plan.segments.map(({ id, events }) => ({
      id,
      patch: events.flatMap(({ data, preData }) => patchBetween(preData ?? {}, data ?? {})),
    })),
    events: [...plan.segments, ...plan.features].flatMap(({ events }) =>
      events.map(({ type, featureName, data, preData }) => ({
        type,
        ...(featureName !== undefined && { featureName }),
        data: data ?? null,
        preData: preData ?? null,
      })),
    ),
    conflicts: plan.conflicts.map(({ change, message, differences = [] }) => ({
      change,
      message,
      differences: [...differences],
    })),
  };
}
