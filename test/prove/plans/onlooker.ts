import type { Event } from '../../../lib/events/event-schema.ts';
import type { ReleasePlan } from '../../../lib/features/plans/release-plan.ts';
import { type FeaturePlace, type Seen, shareOf } from './seen.ts';
import type { Step } from './steps.ts';

/** A change of a feature that was stored. */
export interface Commit {
  readonly step: Pick<Step, 'does' | 'who'>;
  /** The time of the change in milliseconds. */
  readonly at: number;
  /** The time of the clock that made it, when it looked for what is due. */
  readonly clockAt?: number;
  readonly before: Seen;
  readonly after: Seen;
  readonly events: readonly Pick<Event, 'type' | 'data' | 'preData'>[];
}

/** The time for which a plan that stood still does not move on. */
const minuteMs = 60_000;

/** The clocks of the service differ by so much at most. */
const skewMs = 20_000;

/** The steps that may give a flag to more users. */
const widening: readonly Step['does'][] = ['add', 'start', 'edit', 'on', 'clock'];
/** The steps that may make another milestone the active one. */
const starting: readonly Step['does'][] = ['add', 'remove', 'start', 'on', 'clock', 'trip'];

/**
 * Watches one feature, and compares each change of it with the promises of release plans. It measures how long a milestone has been
 * active with a count of its own, and uses no code of the service for that.
 */
export class Onlooker {
  readonly flaws: string[] = [];
  /** The milestones that have started by time. */
  startsByTime = 0;
  /** The actions of safeguards of a plan that a person had moved on during a pause. */
  tripsInPause = 0;
  readonly #place: FeaturePlace;
  readonly #isProtected: boolean;
  /** The time of the start of the active milestone, and the time since then that counts. */
  #startedAt = 0;
  #elapsed = 0;
  #lastAt = 0;
  #graces = 0;
  #due: number | undefined;
  /** Tells whether a milestone was started since the pause of the plan. */
  #isMovedOn = false;
  #resumedAt = 0;

  constructor(place: FeaturePlace, isProtected: boolean) {
    this.#place = place;
    this.#isProtected = isProtected;
  }

  see(commit: Commit): void {
    const isStart = isOtherStart(commit.before.plan, commit.after.plan);
    this.#holdStarts(commit);
    this.#holdDelivery(commit);
    this.#holdWidth(commit);
    if (this.#isProtected && commit.step.who === 'member') this.#holdApproval(commit);
    this.#countTime(commit, isStart);
    this.#followPause(commit, isStart);
    this.#holdLists(commit);
  }

  #flaw(text: string, { step, at }: Commit): void {
    this.flaws.push(`${new Date(at).toISOString()} ${step.does}: ${text}`);
  }

  /** Milestones start one after the other, in their time, and each start has its event. */
  #holdStarts(commit: Commit): void {
    const { step, before, after, events, clockAt = 0 } = commit;
    const [was, is] = [before.plan?.activeMilestoneId, after.plan?.activeMilestoneId];
    const isSamePlan = before.plan?.id === after.plan?.id;
    const isStarted = is !== undefined && (was !== is || !isSamePlan);
    if ((was !== is || !isSamePlan) && !starting.includes(step.does)) this.#flaw('another milestone is active', commit);
    const told = events.filter(({ type }) => type === 'release-plan-milestone-started');
    if (told.length !== Number(isStarted))
      this.#flaw(`${told.length} events tell of ${Number(isStarted)} starts`, commit);
    for (const { data, preData } of told) {
      const wanted = [is, isSamePlan ? was : undefined, step.does === 'clock'];
      const found = [data?.milestoneId, preData?.milestoneId, data?.isByTime === true];
      if (JSON.stringify(wanted) !== JSON.stringify(found))
        this.#flaw(`an event tells ${found}, not ${wanted}`, commit);
    }
    if (step.does === 'trip') this.#holdTrip(commit);
    if (step.does !== 'clock') return;
    this.startsByTime += 1;
    if (!isRunning(before)) this.#flaw('a milestone started by time although its plan stood still', commit);
    if (!isSamePlan || indexOf(after.plan) !== indexOf(before.plan) + 1)
      this.#flaw(`from milestone ${indexOf(before.plan)} to ${indexOf(after.plan)} by time`, commit);
    if (before.nextAt === undefined || before.nextAt > clockAt)
      this.#flaw(`a milestone started ${(before.nextAt ?? 0) - clockAt} ms early`, commit);
    if (after.plan?.milestones[indexOf(before.plan)]?.progressionExecutedAt === undefined)
      this.#flaw('the milestone before does not show that it gave way', commit);
  }

  /**
   * A safeguard of a plan acts while that runs, or was moved on during its pause, by what happened since. It stops the plan where it is or
   * at an earlier milestone.
   */
  #holdTrip(commit: Commit): void {
    const { before, after, events } = commit;
    if (!this.#isWatched(before)) this.#flaw('a safeguard acted although its plan stood still', commit);
    if (isRunning(after)) this.#flaw('a safeguard left the plan running', commit);
    const told = new Set(events.map(({ type }) => type));
    if (after.isEnabled && !told.has('release-plan-progressions-paused'))
      this.#flaw('a safeguard neither paused the plan nor switched the flag off', commit);
    if (before.plan?.pausedAt !== undefined) this.tripsInPause += 1;
    for (const { type, data } of events) {
      const age = Math.max(this.#startedAt, this.#resumedAt) - Date.parse(String(data?.evidenceAt));
      if (type === 'safeguard-triggered' && age > skewMs) this.#flaw('a safeguard acted by what was before', commit);
    }
    if (indexOf(after.plan) > indexOf(before.plan)) this.#flaw('a safeguard went forward', commit);
  }

  /** SDKs get the strategies of the active milestone, and then those of the feature itself. */
  #holdDelivery(commit: Commit): void {
    const { plan, own, delivered } = commit.after;
    const active = plan?.milestones.find(({ id }) => id === plan.activeMilestoneId);
    const wanted = [...shareOf(active?.strategies ?? []), ...own];
    if (delivered.join() !== wanted.join()) this.#flaw(`SDKs get ${delivered}, not ${wanted}`, commit);
  }

  /** Holds that the flag gets more users only by people and the times of the plan. */
  #holdWidth(commit: Commit): void {
    const [was, is] = [widthOf(commit.before), widthOf(commit.after)];
    if (is > was && !widening.includes(commit.step.does)) this.#flaw(`it went from ${was} % to ${is} %`, commit);
  }

  /** Holds that a member can only pause, go back to what was live, and tighten safeguards without approval. */
  #holdApproval(commit: Commit): void {
    const { step, before, after } = commit;
    if (JSON.stringify([before.plan, before.isEnabled]) === JSON.stringify([after.plan, after.isEnabled])) return;
    const wasLive = before.plan?.milestones[indexOf(after.plan)]?.startedAt !== undefined;
    const isBack = step.does === 'start' && wasLive && indexOf(after.plan) < indexOf(before.plan);
    if (step.does === 'pause' || isBack || (step.does === 'guard' && isTighter(before.plan, after.plan))) return;
    this.#flaw('a member did this in a protected environment', commit);
  }

  /** The time of the next milestone follows from the time in which the plan ran. */
  #countTime(commit: Commit, isStart: boolean): void {
    const { before, after, at } = commit;
    const [oldInterval, interval] = [intervalOf(before.plan), intervalOf(after.plan)];
    const [ran, runs] = [isRunning(before), isRunning(after)];
    // Once the next milestone is due, no more time counts, however late the clock is.
    if (ran) this.#elapsed = Math.min(this.#elapsed + at - this.#lastAt, oldInterval ?? Number.POSITIVE_INFINITY);
    this.#lastAt = at;
    if (isStart) [this.#elapsed, this.#startedAt, this.#graces] = [0, at, 0];
    else if (oldInterval === undefined && interval !== undefined) this.#elapsed = at - this.#startedAt;
    const isNew = isStart || oldInterval !== interval || !ran;
    const { nextAt } = after;
    if (interval === undefined || !runs) {
      this.#due = undefined;
      if (nextAt !== undefined) this.#flaw('a time is waited for although the plan stands still', commit);
      return;
    }
    if (nextAt === undefined) {
      this.#flaw('no time is waited for although the plan runs', commit);
      return;
    }
    if (!isNew) {
      if (nextAt !== this.#due) this.#flaw('the time of the next milestone moved without a reason', commit);
      return;
    }
    const rest = interval - this.#elapsed;
    const wanted = at + Math.max(minuteMs, rest);
    // A milestone with less than a minute left is given one, each time that its plan runs again or its time is changed.
    const allowed = minuteMs * this.#graces;
    if (nextAt < at + minuteMs || Math.abs(nextAt - wanted) > allowed)
      this.#flaw(`the next milestone waits ${(nextAt - wanted) / 1_000} s too long`, commit);
    if (rest < minuteMs) this.#graces += 1;
    this.#due = nextAt;
  }

  /** A plan is watched until it is paused, and again from the first start of a milestone after that. */
  #followPause({ before, after, at }: Commit, isStart: boolean): void {
    const [was, is] = [before.plan?.pausedAt, after.plan?.pausedAt];
    const isSamePause = before.plan?.id === after.plan?.id && was === is && is !== undefined;
    this.#isMovedOn = isSamePause && (this.#isMovedOn || isStart);
    if (was !== undefined && is === undefined) this.#resumedAt = at;
  }

  /** Tells whether the safeguards of a plan have something to stop. */
  #isWatched({ isArchived, isEnabled, plan }: Seen): boolean {
    const isLive = isEnabled && !isArchived && plan?.activeMilestoneId !== undefined;
    return isLive && (plan.pausedAt === undefined || this.#isMovedOn);
  }

  /** The clock knows exactly what the feature says. */
  #holdLists(commit: Commit): void {
    const { after } = commit;
    const { feature, environment } = this.#place;
    const isLive = after.isEnabled && !after.isArchived;
    const guards = after.safeguards + (this.#isWatched(after) ? (after.plan?.safeguards?.length ?? 0) : 0);
    const wanted = [
      ...(isLive && guards > 0 ? [`GUARDED ${environment}#${feature}`] : []),
      ...(this.#due === undefined ? [] : [`PLAN_STEPS ${new Date(this.#due).toISOString()}#${environment}#${feature}`]),
    ];
    if (after.listed.toSorted().join() !== wanted.join())
      this.#flaw(`the clock has [${after.listed}], not [${wanted}]`, commit);
  }
}

/** Tells whether the only safeguard of a plan is new, or acts at least as early, in the same way. */
function isTighter(before: ReleasePlan | undefined, after: ReleasePlan | undefined): boolean {
  const [[old], [next]] = [before?.safeguards ?? [], after?.safeguards ?? []];
  if (old === undefined || next === undefined) return next !== undefined;
  return next.action.type === old.action.type && next.triggerCondition.threshold <= old.triggerCondition.threshold;
}

/** Tells whether the clock of a plan runs. */
function isRunning({ isArchived, isEnabled, plan }: Seen): boolean {
  return isEnabled && !isArchived && plan?.activeMilestoneId !== undefined && plan.pausedAt === undefined;
}

function indexOf(plan: ReleasePlan | undefined): number {
  return plan?.milestones.findIndex(({ id }) => id === plan.activeMilestoneId) ?? -1;
}

function intervalOf(plan: ReleasePlan | undefined): number | undefined {
  const index = indexOf(plan);
  const { intervalMinutes } = plan?.milestones[index]?.transitionCondition ?? {};
  if (intervalMinutes === undefined || plan?.milestones[index + 1] === undefined) return undefined;
  return intervalMinutes * minuteMs;
}

function isOtherStart(before: ReleasePlan | undefined, after: ReleasePlan | undefined): boolean {
  const startOf = (plan: ReleasePlan | undefined) =>
    JSON.stringify([plan?.id, plan?.activeMilestoneId, plan?.milestones[indexOf(plan)]?.startedAt]);
  return startOf(before) !== startOf(after);
}

function widthOf({ isArchived, isEnabled, delivered }: Seen): number {
  return isArchived || !isEnabled ? 0 : Math.max(0, ...delivered.map(Number));
}
