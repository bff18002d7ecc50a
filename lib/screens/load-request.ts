import { assertApproved } from '../change-requests/apply.ts';
import { awaitsReview, type ChangeRequest, isClosed } from '../change-requests/change-request.ts';
import type { RequestPath, ShownChangeRequest } from '../change-requests/change-request-schema.ts';
import { loadChangeRequest } from '../change-requests/change-requests.ts';
import { strategyConstraintsOf, strategySegmentIdsOf } from '../change-requests/plan/base.ts';
import { listReviewersOf } from '../change-requests/reviewers.ts';
import { assertEditable } from '../change-requests/revise.ts';
import {
  assertImpartial,
  assertMayInEnvironments,
  countRequiredApprovals,
  type Rules,
  rulesOf,
} from '../change-requests/rules.ts';
import { assertAuthorOrAdmin, assertStateIn, decideTransition } from '../change-requests/transitions.ts';
import { getChangeRequest } from '../change-requests/views/lists.ts';
import { previewChangeRequest } from '../change-requests/views/preview.ts';
import { contextFields } from '../context-fields/context-fields.ts';
import { ApiError, ignoreNotFound, invalid } from '../errors.ts';
import { searchEvents } from '../events/event-log.ts';
import type { FeatureView } from '../features/feature-schema.ts';
import { getFeature } from '../features/get-feature.ts';
import type { PermittedCaller } from '../identity/caller.ts';
import { loadProject } from '../projects/projects.ts';
import type { Request } from '../request.ts';
import { type Segment, segments } from '../segments/segments.ts';
import { loadPersonNames } from './person-names.ts';
import type { ConsoleRequestPage } from './request-schema.ts';
import { showEvents } from './show-events.ts';

/** The data of the page, with the version of the request. */
type LoadedRequest = Omit<ConsoleRequestPage, 'version'> & { readonly version: number };

/** The most flags of a request that the page shows as they are now. */
const featuresMax = 20;

/** The longest time between the application of a request and the event about it, in milliseconds. */
const appliedWithinMs = 5_000;

/**
 * Loads the page of a change request.
 * @throws ApiError 404 for an unknown request, and for the draft of somebody else.
 */
export async function loadRequestPage(
  request: Request,
  caller: PermittedCaller,
  path: RequestPath,
): Promise<LoadedRequest> {
  const [{ value, version }, { value: stored }, project] = await Promise.all([
    getChangeRequest(request, caller, path),
    loadChangeRequest(request, caller, path),
    loadProject(request, path.projectId),
  ]);
  const rules = rulesOf(project, value.environment);
  const names = value.features.slice(0, featuresMax).map(({ name }) => name);
  const [preview, features, reviewers, people, appliedBy] = await Promise.all([
    isClosed(stored) ? undefined : previewChangeRequest(request, caller, path),
    Promise.all(names.map((name) => loadCurrentFeature(request, caller, path.projectId, name))),
    listReviewersOf(request, stored, rules),
    loadPersonNames(request, listPeople(value, stored)),
    findWhoApplied(request, stored),
  ]);
  const current = features.flat();
  const used = await segments.findSome(request, new Set([...listUsedSegments(current), ...listWantedSegments(stored)]));
  const fields = await contextFields.findSome(request, listComparedFields(current, stored, [...used.values()]));
  const { schedule } = stored;
  return {
    request: value,
    version,
    required: countRequiredApprovals(stored, rules),
    ...(preview !== undefined && { preview }),
    features: current,
    segments: [...used.values()].map(({ id, name, constraints }) => ({ id, name, constraints })),
    contextFields: [...fields.values()].map(({ name, legalValues }) => ({
      name,
      legalValues: legalValues.map(({ value: legal }) => legal),
    })),
    reviewers: reviewers
      .map(({ id, username }) => ({ id, name: username, isAsked: stored.reviewers.includes(id) }))
      .toSorted((a, b) => Number(b.isAsked) - Number(a.isAsked) || (a.name < b.name ? -1 : 1)),
    people: [...people].map(([id, name]) => ({ id, name })),
    ...(schedule !== undefined && {
      scheduledBy: {
        id: schedule.scheduledBy.id,
        name: people.get(schedule.scheduledBy.id) ?? schedule.scheduledBy.name,
      },
    }),
    ...(appliedBy !== undefined && { appliedBy }),
    may: decidePermissions(caller, stored, rules),
  };
}

/** Finds the person who applied a request. The request does not name them, but the event about it does. */
async function findWhoApplied(
  request: Request,
  { id, state, stateTimestamps, override }: ChangeRequest,
): Promise<ConsoleRequestPage['appliedBy']> {
  const at = stateTimestamps.Applied;
  if (state !== 'Applied' || override !== undefined || at === undefined) return undefined;
  const nearby = (ms: number) => ({
    operator: 'IS' as const,
    values: [new Date(Date.parse(at) + ms).toISOString()] as const,
  });
  const { events } = await searchEvents(request, {
    ...{ from: nearby(-appliedWithinMs), to: nearby(appliedWithinMs), offset: 0, limit: 1 },
    type: { operator: 'IS', values: ['change-request-applied'] },
    groupId: { operator: 'IS', values: [`change-request-${id}`] },
  });
  const [event] = await showEvents(request, events);
  return event === undefined ? undefined : { id: events[0]?.createdByUserId ?? 0, name: event.author };
}

async function loadCurrentFeature(
  request: Request,
  caller: PermittedCaller,
  projectId: string,
  featureName: string,
): Promise<FeatureView[]> {
  const feature = await ignoreNotFound(getFeature(request, caller, { projectId, featureName }));
  return feature === undefined ? [] : [feature.value];
}

/** Lists the strategies of features, with those of all milestones of their plans. */
function listStrategies(features: readonly FeatureView[]) {
  const environments = features.flatMap((feature) => feature.environments);
  const milestones = environments.flatMap(({ releasePlans }) => releasePlans.flatMap((plan) => plan.milestones));
  return [...environments, ...milestones].flatMap(({ strategies }) => strategies);
}

function listUsedSegments(features: readonly FeatureView[]): number[] {
  const strategies = listStrategies(features);
  return [...new Set(strategies.flatMap((strategy) => strategy.segments))];
}

/** Lists the context fields that the flags compare now or will compare. */
function listComparedFields(
  features: readonly FeatureView[],
  { changes }: ChangeRequest,
  used: readonly Pick<Segment, 'constraints'>[],
): string[] {
  const strategies = listStrategies(features);
  const compared = [...strategies, ...used].flatMap(({ constraints }) => constraints);
  const all = [...compared, ...changes.flatMap(strategyConstraintsOf)];
  return [...new Set(all.map(({ contextName }) => contextName))];
}

function listWantedSegments({ changes }: ChangeRequest): number[] {
  return changes.flatMap((change) => [...strategySegmentIdsOf(change)]);
}

function listPeople(
  { createdBy, approvals, rejections, comments, features, override }: ShownChangeRequest,
  { schedule, reviewers }: ChangeRequest,
): number[] {
  const entries = [...approvals, ...rejections, ...comments, ...features.flatMap(({ changes }) => changes)];
  const { endedBy, reviewedBy } = override ?? {};
  const people = [createdBy, endedBy, reviewedBy, schedule?.scheduledBy, ...entries.map((each) => each.createdBy)];
  return [...people.flatMap((person) => (person === undefined ? [] : [person.id])), ...reviewers];
}

/** Decides by the rules of each operation whether the reader may carry it out, and gives the reasons if not. */
function decidePermissions(caller: PermittedCaller, before: ChangeRequest, rules: Rules): ConsoleRequestPage['may'] {
  const at = new Date().toISOString();
  const reach = (state: 'Approved' | 'Rejected' | 'Cancelled') => () =>
    decideTransition(state, { before, input: { state }, caller, rules, at });
  return {
    approve: checkPermission(reach('Approved')),
    reject: checkPermission(reach('Rejected')),
    cancel: checkPermission(reach('Cancelled')),
    apply: checkPermission(() => {
      assertStateIn(before, 'Applied', ['Approved', 'Scheduled']);
      assertMayInEnvironments(caller, 'APPLY_CHANGE_REQUEST', before, rules);
      assertApproved(before, rules);
    }),
    edit: checkPermission(() => assertEditable(before, caller, rules)),
    manage: checkPermission(() => assertAuthorOrAdmin(before, caller)),
    review: checkPermission(() => {
      if (!awaitsReview(before)) throw invalid('Nothing waits for a review.');
      assertMayInEnvironments(caller, 'APPROVE_CHANGE_REQUEST', before, rules);
      assertImpartial(caller, before, rules);
    }),
  };
}

/** Runs a check. @returns true if it passes, else the message of its refusal. @throws any other error. */
function checkPermission(assert: () => void): true | string {
  try {
    assert();
    return true;
  } catch (error) {
    if (error instanceof ApiError) return error.message;
    throw error;
  }
}
