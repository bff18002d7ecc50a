import { requireExpectedVersion } from '../entity/change.ts';
import type { ChangeUnit } from '../entity/effects.ts';
import { runInParts, tooLargeForTransaction } from '../entity/phases.ts';
import { writeInLoop } from '../entity/write-loop.ts';
import { type DecidedChange, inOneTransaction } from '../entity/write-strategy.ts';
import { ApiError, type ErrorDetail } from '../errors.ts';
import { type Actor, systemUser } from '../events/actor.ts';
import { type NewEvent, stampEvents } from '../events/event.ts';
import { serviceEventWrites } from '../events/event-items.ts';
import { buildFeatureWrites } from '../features/items/feature-writes.ts';
import { projectEnvironmentOf } from '../projects/projects.ts';
import { withApproval } from '../projects/protection.ts';
import type { Request } from '../request.ts';
import { batchUnits } from '../store/batch.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import type { Write } from '../store/transactions/write.ts';
import { loadApprovals, withValidApprovals } from './approvals.ts';
import {
  approvalsOf,
  buildRequestEvent,
  type ChangeRequest,
  type RequestedChange,
  withState,
} from './change-request.ts';
import type { RequestState } from './change-request-schema.ts';
import { buildRequestUpdate } from './change-requests.ts';
import * as changeRequestKeys from './keys.ts';
import { featurePartName, segmentIdOf, segmentPartName } from './plan/base.ts';
import { type LoadedPlan, loadRequestPlan } from './plan/load-plan.ts';
import { nameChange } from './plan/name-change.ts';
import { planRequest, type RequestPlan } from './plan/plan.ts';
import { listSegmentNeeds, type SegmentNeed } from './plan/segment-needs.ts';
import { type ConditionalRules, countRequiredApprovals, environmentsOf, lacksApproval, type Rules } from './rules.ts';
import {
  buildScheduleWrites,
  dropScheduleReference,
  loadTouched,
  scheduleIdsOf,
  type Touched,
} from './schedules/schedule-references.ts';
import { withSuspensionOfOthers } from './schedules/suspension.ts';

/** Writes of a transaction that are reserved for the request, its summary, its events and an idempotency record. */
const reservedWrites = 12;

/** Writes that suspend another request. */
const suspensionWrites = 4;

/** The most conditions per approval and environment: on the approver, their group and their role. */
const approvalConditionsMax = 3;

/** The most schedule references of unchanged things that are removed. Each that stays costs later changes a read. */
const scheduleWritesMax = 20;

/** The application of a request. */
export interface RequestApplication {
  readonly id: number;
  readonly load: () => Promise<Versioned<ChangeRequest>>;
  /**
   * Pure.
   * @throws ApiError if the caller must not apply the request.
   */
  readonly assertMay: (changeRequest: ChangeRequest, needs: readonly SegmentNeed[], rules: Rules) => void;
  readonly rules: () => Promise<ConditionalRules>;
  /**
   * Returns the request with a comment on its application. Pure.
   * @throws ApiError for too many comments.
   */
  readonly addComment?: (changeRequest: ChangeRequest, at: string) => ChangeRequest;
  /** Returns further events of the application. */
  readonly furtherEvents?: (changeRequest: ChangeRequest) => readonly NewEvent[];
}

/** The state and the version of a request after a transaction. */
interface Outcome {
  readonly state: RequestState;
  readonly version: number;
}

/** The facts that the application of a request depends on, as they were read. */
export interface ApplicationFacts {
  readonly before: Versioned<ChangeRequest>;
  readonly loaded: LoadedPlan;
  readonly rules: ConditionalRules;
  readonly approvals: Awaited<ReturnType<typeof loadApprovals>>;
  /** The features and segments that refer to the schedule of the request. */
  readonly touched: Touched;
  /** The number of other scheduled requests that this one can invalidate. */
  readonly othersScheduled: number;
}

/**
 * Applies a request: in one transaction if its changes fit, otherwise in several with whole features and segments. A
 * repeat of an interrupted application continues it.
 * @throws ApiError 409 for too few approvals, or with all changes that cannot be made any more.
 */
export function applyRequest(request: Request, actor: Actor, application: RequestApplication): Promise<Outcome> {
  const toOutcome = ({ state }: ChangeRequest, version: number): Outcome => ({ state, version });
  return runInParts(
    request,
    (partRequest) =>
      applyPart<Outcome | typeof tooLargeForTransaction>(partRequest, actor, application, {
        isLast: true,
        otherwise: () => tooLargeForTransaction,
      }),
    async (partRequest) =>
      (await applyPart(partRequest, actor, application, { isLast: false, otherwise: toOutcome })).version,
  );
}

/**
 * Makes as many of the changes as fit into one transaction.
 * @param isLast true to make changes only if no others remain after them, false only if others remain.
 * @param otherwise returns the result if no changes are made.
 */
function applyPart<Result>(
  request: Request,
  actor: Actor,
  {
    id,
    load,
    assertMay,
    rules: loadRules,
    addComment = (changeRequest) => changeRequest,
    furtherEvents = () => [],
  }: RequestApplication,
  {
    isLast,
    otherwise,
  }: { readonly isLast: boolean; readonly otherwise: (before: ChangeRequest, version: number) => Result },
): Promise<Result | Outcome> {
  return writeInLoop<ApplicationFacts, Result | Outcome>(withSuspensionOfOthers(request, id), actor, {
    strategy: inOneTransaction,
    items: [changeRequestKeys.changeRequest(id)],
    likelyEvents: 8,
    read: async () => loadApplicationFacts(request, await load(), loadRules()),
    decide: (facts, at) => {
      const { before, loaded, rules } = facts;
      assertMay(before.value, listSegmentNeeds(loaded), rules);
      const commented = addComment(before.value, at);
      const planned = planApplication(request, facts, at);
      const { plan, current, scheduleWrites } = planned;
      assertApproved(current, rules);
      assertNoConflict(before.value, plan, rules);
      const [parts = [], ...remaining] = groupByTransaction(request, facts, planned, at);
      requireExpectedVersion(request, before.version);
      if (isLast !== (remaining.length === 0)) return { units: [], result: otherwise(before.value, before.version) };
      return decideApplication(
        before,
        { parts, conditions: isLast ? [...plan.conditions, ...scheduleWrites] : plan.conditions },
        isLast ? { commented, furtherEvents: furtherEvents(before.value) } : undefined,
        at,
      );
    },
  });
}

/** Reads the facts that the application of a request depends on. */
export async function loadApplicationFacts(
  request: Request,
  before: Versioned<ChangeRequest>,
  loadingRules: Promise<ConditionalRules>,
): Promise<ApplicationFacts> {
  const [loaded, rules, approvals, touched] = await Promise.all([
    loadRequestPlan(request, before.value),
    loadingRules,
    loadApprovals(request, before.value),
    before.value.state === 'Scheduled' ? loadTouched(request, before.value) : nothingTouched,
  ]);
  const things = [
    ...loaded.features.map(({ stored }) => stored?.own),
    ...loaded.segments.map(({ segment }) => segment?.value),
  ];
  return {
    before,
    loaded,
    rules,
    approvals,
    touched,
    othersScheduled: new Set(things.flatMap(scheduleIdsOf)).difference(new Set([before.value.id])).size,
  };
}

/** The plan of an application with all its conditions. */
interface PlannedApplication {
  readonly plan: RequestPlan;
  /** The request with only the approvals that are still valid. */
  readonly current: ChangeRequest;
  /** The writes that remove the references to its schedule from things that the application does not change. */
  readonly scheduleWrites: readonly Write[];
}

function planApplication(
  request: Request,
  { before: { value: changeRequest }, loaded, rules, approvals, touched }: ApplicationFacts,
  at: string,
): PlannedApplication {
  const { current, conditions } = withValidApprovals(changeRequest, rules, approvals);
  const planned = planRequest(request, loaded, at);
  const plan = { ...planned, conditions: [...planned.conditions, ...conditions, rules.rightsCondition] };
  const scheduleWrites = buildScheduleWrites(unchangedOf(touched, plan), { ...changeRequest, state: 'Applied' });
  return { plan, current, scheduleWrites: scheduleWrites.slice(0, scheduleWritesMax) };
}

const nothingTouched: Touched = { features: [], segments: [], scheduled: new Set() };

/** Returns the things that the application does not change; the changed ones lose the reference with their change. */
function unchangedOf(touched: Touched, plan: RequestPlan): Touched {
  const names = new Set(
    plan.features.flatMap(({ name, steps }) => (steps.some(({ events }) => events.length > 0) ? [name] : [])),
  );
  const ids = new Set(plan.segments.flatMap(({ id, writes }) => (writes.length > 0 ? [id] : [])));
  return {
    ...touched,
    features: touched.features.filter(({ name }) => !names.has(name)),
    segments: touched.segments.filter(({ value }) => !ids.has(value.id)),
  };
}

/**
 * Groups the parts of a request that are still to be applied by transactions. A missing approval counts with the most
 * conditions that it can have.
 */
function groupByTransaction(
  request: Request,
  { before: { value: changeRequest }, rules, othersScheduled }: ApplicationFacts,
  { plan, current, scheduleWrites }: PlannedApplication,
  at: string,
): ChangeUnit[][] {
  const missingApprovals = Math.max(0, countRequiredApprovals(changeRequest, rules) - approvalsOf(current).length);
  const otherWrites =
    plan.conditions.length +
    scheduleWrites.length +
    suspensionWrites * othersScheduled +
    missingApprovals * approvalConditionsMax * environmentsOf(changeRequest, rules).length;
  const applied = new Set(changeRequest.applied);
  const remaining = buildParts(withApproval(request, changeRequest.project), changeRequest.id, plan).filter(
    ({ subject }) => !applied.has(subject),
  );
  const units = remaining.map((part) => {
    // Only the size matters here, which hardly depends on the actor.
    const writes = part.record?.(stampEvents(part.events, 1, systemUser, at)) ?? [];
    return { subject: part.subject, writes, part };
  });
  return batchUnits(units, reservedWrites + otherWrites).map((batch) => batch.map(({ part }) => part));
}

/**
 * Returns the plan of applying a request now, and the names of the changed features and segments by transaction. While
 * approvals are missing, it can take fewer transactions than these.
 */
export function previewApplication(request: Request, facts: ApplicationFacts) {
  const at = new Date().toISOString();
  const planned = planApplication(request, facts, at);
  const batches = groupByTransaction(request, facts, planned, at);
  return { plan: planned.plan, transactions: batches.map((batch) => batch.map(({ subject }) => subject)) };
}

/** @param last the request with its comment, and further events, for the last transaction; undefined for others. */
function decideApplication(
  before: Versioned<ChangeRequest>,
  { parts, conditions }: Pick<RequestPlan, 'conditions'> & { readonly parts: readonly ChangeUnit[] },
  last: { readonly commented: ChangeRequest; readonly furtherEvents: readonly NewEvent[] } | undefined,
  at: string,
): DecidedChange<Outcome> {
  const { applied = [], ...open } = last?.commented ?? before.value;
  const names = [...applied, ...parts.map(({ subject }) => subject)];
  const after = last ? withState(open, 'Applied', at) : { ...open, applied: names };
  const own = buildRequestUpdate(
    before,
    after,
    last ? [buildRequestEvent('change-request-applied', after), ...last.furtherEvents] : [],
  );
  const units = parts.map(
    ({ record = serviceEventWrites, ...part }): ChangeUnit => ({
      ...part,
      record: (stamped) => record(stamped).map((write) => dropScheduleReference(write, after.id)),
    }),
  );
  const ownUnit: ChangeUnit = {
    subject: `change request "${after.id}"`,
    ...own,
    lastEventId: before.lastEventId,
    // The conditions come last: of several conditions on the same segment, the last one counts.
    record: (stamped) => [...serviceEventWrites(stamped), ...conditions],
  };
  return { units: [[...units, ownUnit]], result: { state: after.state, version: before.version + 1 } };
}

function partNameOf(change: RequestedChange): string {
  return change.feature === null ? segmentPartName(segmentIdOf(change)) : featurePartName(change.feature);
}

/** Builds the units of a request that are applied as a whole: all changes of a feature, or of a segment. */
function buildParts(request: Request, changeRequest: number, plan: RequestPlan): ChangeUnit[] {
  const addRequestId = (events: readonly NewEvent[]) => events.map((event) => ({ ...event, changeRequest }));
  const featureParts = plan.features.flatMap(({ name, stored, after, steps }): ChangeUnit[] => {
    const events = steps.flatMap((step) => step.events);
    if (stored === undefined || after === undefined || events.length === 0) return [];
    return [
      {
        subject: featurePartName(name),
        writes: [],
        events: addRequestId(events),
        record: (stamped) => buildFeatureWrites(request, { stored, after }, stamped),
        lastEventId: stored.revision.lastEventId,
        flag: { schedules: stored.own.schedules, after },
      },
    ];
  });
  const segmentParts = plan.segments
    .filter(({ writes }) => writes.length > 0)
    .map(
      ({ id, writes, events, segment }): ChangeUnit => ({
        subject: segmentPartName(id),
        writes: [],
        events: addRequestId(events),
        record: (stamped) => [...writes, ...serviceEventWrites(stamped)],
        lastEventId: segment.lastEventId,
        flag: { schedules: segment.value.schedules },
      }),
    );
  return [...segmentParts, ...featureParts];
}

/** @throws ApiError 409 for too few approvals of the present content. */
export function assertApproved(changeRequest: ChangeRequest, rules: Rules): void {
  if (!lacksApproval(changeRequest, rules)) return;
  const [count, required] = [approvalsOf(changeRequest).length, countRequiredApprovals(changeRequest, rules)];
  throw new ApiError(
    'ConflictError',
    `The change request "${changeRequest.id}" has ${count} of ${required} required approvals. Approvals of earlier changes, and by people who may no longer approve it, do not count.`,
  );
}

/**
 * @throws ApiError 409 with all changes that cannot be made and the differences that prevent them, or if the project
 * lacks the environment now.
 */
export function assertNoConflict(
  { id, environment, changes, applied }: ChangeRequest,
  { conflicts }: RequestPlan,
  { onDrift, project }: Rules,
): void {
  const appliedParts = new Set(applied);
  const byId = new Map(changes.map((change) => [change.id, change]));
  const obstacles = conflicts.filter(({ change: changeId, differences }) => {
    const change = byId.get(changeId);
    // An interrupted application has made this change itself.
    if (change !== undefined && appliedParts.has(partNameOf(change))) return false;
    return differences === undefined || onDrift === 'refuse';
  });
  if (obstacles.length === 0 && projectEnvironmentOf(project, environment) === undefined)
    throw new ApiError(
      'ConflictError',
      `The project "${project.id}" does not have the environment "${environment}" now.`,
    );
  if (obstacles.length === 0) return;
  const details = obstacles.flatMap(({ change: changeId, message, differences = [] }): ErrorDetail[] => {
    const change = byId.get(changeId);
    const subject = change === undefined ? `Change ${changeId}` : nameChange(change);
    const path = `changes.${changeId}`;
    if (differences.length === 0) return [{ message: `${subject}: ${message}`, path }];
    return differences.map(({ property, ...values }) => ({
      message: `${subject}: ${message}.`,
      path: property === '' ? path : `${path}.${property}`,
      difference: values,
    }));
  });
  throw new ApiError(
    'ConflictError',
    `The change request "${id}" cannot be applied: ${details
      .map(({ message }) => message)
      .slice(0, 3)
      .join(' ')}`,
    details,
  );
}
