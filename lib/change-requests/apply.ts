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
import { loadApprovals, withHeldApprovals } from './approvals.ts';
import { approvalsOf, type ChangeRequest, inState, type RequestedChange, requestEvent } from './change-request.ts';
import type { RequestState } from './change-request-schema.ts';
import { requestUpdated } from './change-requests.ts';
import * as changeRequestKeys from './keys.ts';
import { partOfFeature, partOfSegment, segmentIdOf } from './plan/base.ts';
import { type LoadedPlan, loadRequestPlan, planRequest, type RequestPlan } from './plan/plan.ts';
import { type SegmentNeed, segmentNeeds } from './plan/segment-needs.ts';
import { countRequiredApprovals, environmentsOf, type GuardedRules, lacksApproval, type Rules } from './rules.ts';
import {
  loadTouched,
  scheduleReferenceWrites,
  schedulesOn,
  type Touched,
  withoutScheduleReference,
} from './schedules/schedule-references.ts';
import { withSuspensionOfOthers } from './schedules/suspension.ts';

/** Room of a transaction for the request itself, its place in the list, its events and a receipt. */
const reserved = 12;

/** Room for the suspension of another request. */
const writesOfSuspension = 4;

/** The most conditions that an approval brings for an environment: its giver, their group and their role. */
const conditionsOfApproval = 3;

/** The most marks of its schedule that it removes besides; one that stays costs others a read. */
const marksMax = 20;

/** A request to be applied, and the rules that it is under. */
export interface Applied {
  readonly id: number;
  readonly load: () => Promise<Versioned<ChangeRequest>>;
  /**
   * Pure.
   * @throws ApiError where the request may not be applied.
   */
  readonly assertMay: (found: ChangeRequest, needs: readonly SegmentNeed[], rules: Rules) => void;
  readonly rules: () => Promise<GuardedRules>;
  /**
   * Pure: returns the request with what is said of its application.
   * @throws ApiError where it has no room for that.
   */
  readonly say?: (request: ChangeRequest, at: string) => ChangeRequest;
  /** Events besides that it was applied. */
  readonly besides?: (request: ChangeRequest) => readonly NewEvent[];
}

/** State and version of a request after a transaction. */
interface Outcome {
  readonly state: RequestState;
  readonly version: number;
}

/** Facts on which the application of a request rests, as they were read. */
export interface LoadedToApply {
  readonly before: Versioned<ChangeRequest>;
  readonly loaded: LoadedPlan;
  readonly rules: GuardedRules;
  readonly approvals: Awaited<ReturnType<typeof loadApprovals>>;
  /** Features and segments that the schedule of the request has marked. */
  readonly touched: Touched;
  /** Number of other scheduled requests that this one may invalidate. */
  readonly othersScheduled: number;
}

/**
 * Makes the changes of a request: all in one transaction where they fit, else some features and segments after the other,
 * each of them whole. Cut off, it goes on where it was when it is asked for again.
 * @throws ApiError 409 for too few approvals, and with every change which cannot be made any more.
 */
export function applyRequest(request: Request, actor: Actor, application: Applied): Promise<Outcome> {
  const leftAs = ({ state }: ChangeRequest, version: number): Outcome => ({ state, version });
  return runInParts(
    request,
    (ours) =>
      applySome<Outcome | typeof tooLargeForTransaction>(ours, actor, application, {
        isLast: true,
        otherwise: () => tooLargeForTransaction,
      }),
    async (ours) => (await applySome(ours, actor, application, { isLast: false, otherwise: leftAs })).version,
  );
}

/**
 * Makes as many of the changes as fit into one transaction: the last of them, or such as others come after.
 * @param otherwise the result where it would be the other one, and nothing is done.
 */
function applySome<Result>(
  request: Request,
  actor: Actor,
  { id, load, assertMay, rules: loadRules, say = (one) => one, besides = () => [] }: Applied,
  {
    isLast,
    otherwise,
  }: { readonly isLast: boolean; readonly otherwise: (before: ChangeRequest, version: number) => Result },
): Promise<Result | Outcome> {
  return writeInLoop<LoadedToApply, Result | Outcome>(withSuspensionOfOthers(request, id), actor, {
    strategy: inOneTransaction,
    of: [changeRequestKeys.changeRequest(id)],
    likelyEvents: 8,
    read: async () => loadToApply(request, await load(), loadRules()),
    decide: (found, at) => {
      const { before, loaded, rules } = found;
      assertMay(before.value, segmentNeeds(loaded), rules);
      const said = say(before.value, at);
      const { plan, held, marks } = plannedApplication(request, found, at);
      assertApproved(held, rules);
      assertNoConflict(before.value, plan, rules);
      const [some = [], ...further] = fittingTogether(request, found, { plan, held, marks }, at);
      requireExpectedVersion(request, before.version);
      if (isLast !== (further.length === 0)) return { units: [], result: otherwise(before.value, before.version) };
      return decisionOf(
        before,
        { parts: some, conditions: isLast ? [...plan.conditions, ...marks] : plan.conditions },
        isLast ? { said, besides: besides(before.value) } : undefined,
        at,
      );
    },
  });
}

/** Reads the facts on which the application of a request rests. */
export async function loadToApply(
  request: Request,
  before: Versioned<ChangeRequest>,
  loadingRules: Promise<GuardedRules>,
): Promise<LoadedToApply> {
  const [loaded, rules, approvals, touched] = await Promise.all([
    loadRequestPlan(request, before.value),
    loadingRules,
    loadApprovals(request, before.value),
    before.value.state === 'Scheduled' ? loadTouched(request, before.value) : nothing,
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
    othersScheduled: new Set(things.flatMap(schedulesOn)).difference(new Set([before.value.id])).size,
  };
}

/** The plan of an application under all its conditions. */
interface PlannedApplication {
  readonly plan: RequestPlan;
  /** The request with those approvals alone that count. */
  readonly held: ChangeRequest;
  /** Writes that remove the marks of its schedule. */
  readonly marks: readonly Write[];
}

function plannedApplication(
  request: Request,
  { before: { value: one }, loaded, rules, approvals, touched }: LoadedToApply,
  at: string,
): PlannedApplication {
  const { held, conditions } = withHeldApprovals(one, rules, approvals);
  const planned = planRequest(request, loaded, at);
  const plan = { ...planned, conditions: [...planned.conditions, ...conditions, rules.standing] };
  const marks = scheduleReferenceWrites(unchangedOf(touched, plan), { ...one, state: 'Applied' }).slice(0, marksMax);
  return { plan, held, marks };
}

const nothing: Touched = { features: [], segments: [], scheduled: new Set() };

/** Returns the marked things that the application does not write; all others lose their marks as they are changed. */
function unchangedOf(touched: Touched, plan: RequestPlan): Touched {
  const names = new Set(plan.features.flatMap(({ name, events }) => (events.length > 0 ? [name] : [])));
  const ids = new Set(plan.segments.flatMap(({ id, writes }) => (writes.length > 0 ? [id] : [])));
  return {
    ...touched,
    features: touched.features.filter(({ name }) => !names.has(name)),
    segments: touched.segments.filter(({ value }) => !ids.has(value.id)),
  };
}

/**
 * Returns the parts that are left of a request, by the transactions that they take. An approval that is lacking counts with the
 * most conditions that it may bring.
 */
function fittingTogether(
  request: Request,
  { before: { value: one }, rules, othersScheduled }: LoadedToApply,
  { plan, held, marks }: PlannedApplication,
  at: string,
): ChangeUnit[][] {
  const lacking = Math.max(0, countRequiredApprovals(one, rules) - approvalsOf(held).length);
  const besides =
    plan.conditions.length +
    marks.length +
    writesOfSuspension * othersScheduled +
    lacking * conditionsOfApproval * environmentsOf(one, rules).length;
  const done = new Set(one.applied);
  const left = partsOf(withApproval(request, one.project), one.id, plan).filter(({ what }) => !done.has(what));
  const units = left.map((part) => {
    // Of the length that they will have; who applies it matters little.
    const writes = part.record?.(stampEvents(part.events, 1, systemUser, at)) ?? [];
    return { what: part.what, writes, part };
  });
  return batchUnits(units, reserved + besides).map((batch) => batch.map(({ part }) => part));
}

/**
 * Returns the plan of applying a request now, and the names of the features and segments that it would change, by the
 * transactions that it takes: at most, where approvals are lacking, and else exactly.
 */
export function previewApplication(request: Request, found: LoadedToApply) {
  const at = new Date().toISOString();
  const planned = plannedApplication(request, found, at);
  const batches = fittingTogether(request, found, planned, at);
  return { plan: planned.plan, transactions: batches.map((batch) => batch.map(({ what }) => what)) };
}

/** @param last the request with what is said of it and events besides, for the last of its transactions; undefined for one before that. */
function decisionOf(
  before: Versioned<ChangeRequest>,
  { parts, conditions }: Pick<RequestPlan, 'conditions'> & { readonly parts: readonly ChangeUnit[] },
  last: { readonly said: ChangeRequest; readonly besides: readonly NewEvent[] } | undefined,
  at: string,
): DecidedChange<Outcome> {
  const { applied = [], ...open } = last?.said ?? before.value;
  const names = [...applied, ...parts.map(({ what }) => what)];
  const after = last ? inState(open, 'Applied', at) : { ...open, applied: names };
  const own = requestUpdated(
    before,
    after,
    last ? [requestEvent('change-request-applied', after), ...last.besides] : [],
  );
  const units = parts.map(
    ({ record = serviceEventWrites, ...part }): ChangeUnit => ({
      ...part,
      record: (stamped) => record(stamped).map((write) => withoutScheduleReference(write, after.id)),
    }),
  );
  const ownUnit: ChangeUnit = {
    what: `change request "${after.id}"`,
    ...own,
    lastEventId: before.lastEventId,
    // At the end: of several conditions on a segment, the last one counts.
    record: (stamped) => [...serviceEventWrites(stamped), ...conditions],
  };
  return { units: [[...units, ownUnit]], result: { state: after.state, version: before.version + 1 } };
}

function partOf(change: RequestedChange): string {
  return change.feature === null ? partOfSegment(segmentIdOf(change)) : partOfFeature(change.feature);
}

/** Returns the changes of a request by what belongs into one transaction: those of a feature, or of a segment. */
function partsOf(request: Request, changeRequest: number, plan: RequestPlan): ChangeUnit[] {
  const named = (events: readonly NewEvent[]) => events.map((event) => ({ ...event, changeRequest }));
  const ofFeatures = plan.features.flatMap(({ name, stored, after, events }): ChangeUnit[] => {
    if (stored === undefined || after === undefined || events.length === 0) return [];
    return [
      {
        what: partOfFeature(name),
        writes: [],
        events: named(events),
        record: (stamped) => buildFeatureWrites(request, { stored, after }, stamped),
        lastEventId: stored.revision.lastEventId,
        flag: { schedules: stored.own.schedules, after },
      },
    ];
  });
  const ofSegments = plan.segments
    .filter(({ writes }) => writes.length > 0)
    .map(
      ({ id, writes, events, segment }): ChangeUnit => ({
        what: partOfSegment(id),
        writes: [],
        events: named(events),
        record: (stamped) => [...writes, ...serviceEventWrites(stamped)],
        lastEventId: segment.lastEventId,
        flag: { schedules: segment.value.schedules },
      }),
    );
  return [...ofSegments, ...ofFeatures];
}

/** @throws ApiError 409 where fewer than needed have approved what the request asks for now. */
export function assertApproved(request: ChangeRequest, rules: Rules): void {
  if (!lacksApproval(request, rules)) return;
  const [count, wanted] = [approvalsOf(request).length, countRequiredApprovals(request, rules)];
  throw new ApiError(
    'ConflictError',
    `The change request "${request.id}" has ${count} of ${wanted} approvals of what it asks for now by people who may approve it.`,
  );
}

/**
 * @throws ApiError 409 that names every change which cannot be made, with the differences that stand against it; also for
 * changes that could be made though the project does not have the environment now.
 */
export function assertNoConflict(
  { id, environment, changes, applied }: ChangeRequest,
  { conflicts }: RequestPlan,
  { onDrift, project }: Rules,
): void {
  const done = new Set(applied);
  const byId = new Map(changes.map((each) => [each.id, each]));
  const against = conflicts.filter(({ change: changeId, differences }) => {
    const change = byId.get(changeId);
    // What it has changed itself before it was cut off.
    if (change !== undefined && done.has(partOf(change))) return false;
    return differences === undefined || onDrift === 'refuse';
  });
  if (against.length === 0 && projectEnvironmentOf(project, environment) === undefined)
    throw new ApiError(
      'ConflictError',
      `The project "${project.id}" does not have the environment "${environment}" now.`,
    );
  if (against.length === 0) return;
  const details = against.flatMap(({ change: changeId, message, differences = [] }): ErrorDetail[] => {
    const { feature, action } = byId.get(changeId) ?? {};
    const what = feature == null ? String(action) : `${action} of "${feature}"`;
    const path = `changes.${changeId}`;
    if (differences.length === 0) return [{ message: `${what}: ${message}`, path }];
    return differences.map(({ property, ...values }) => ({
      message: `${what}: ${message}.`,
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
