import { randomUUID } from 'node:crypto';
import { storeIfFirst } from '../../entity/store-if-first.ts';
import { queryPages, readItem } from '../../store/read.ts';
import type { Write } from '../../store/transactions/write.ts';
import { countRequest } from './day-limit.ts';
import {
  blockOf,
  type Health,
  holdBack,
  isOpen,
  noteFailure,
  noteSuccess,
  openBreaker,
  pauseAddon,
  readHealth,
  riseOfVersion,
  type Trigger,
} from './health.ts';
import * as sendingKeys from './keys.ts';
import { type LaneEvent, readLaneEvents } from './lane-events.ts';
import {
  claimLane,
  type LaneItem,
  laneExpiry,
  leaseMs,
  progressOf,
  readLane,
  releaseLane,
  untried,
} from './lane-items.ts';
import { changeHeld } from './lease.ts';
import { breakerLanes, giveUpAfterMs, giveUpAtLastMs, isSuspicious, pauseAfter, suspect, turnMs } from './schedule.ts';
import { type Delivery, messageId, sendOnce } from './send-once.ts';
import {
  type Integration,
  isTrusted,
  isUnchanged,
  type Plan,
  paceOf,
  reloadIntegration,
  type Sender,
} from './sender.ts';
import { type SendOutcome, type SentEvent, sendAttemptsOf, sentEventOf, writeSentEvent } from './sent-events.ts';

/** The way in which a lane was left: with nothing to do, with an event that waits, or to another holder. */
export type LaneEnd = 'done' | 'waiting' | 'busy';

/** A run through a lane. */
export interface Run {
  readonly name: string;
  /** The first event that was announced or found, which is sent though the floor may have passed it. */
  readonly from?: number;
  /** The event up to which SDKs are known to be served all changes. */
  readonly upTo?: number;
  /**
   * The reason for it: an event that was announced, or found in the list of all; an event that waits and is due; or the question
   * whether the receiver is back, so that a failure is none of the event's own.
   */
  readonly by: Trigger;
}

/** A lane that waits, for the clock. */
export interface PendingLane {
  readonly name: string;
  readonly waitUntil: number;
  /** The time since which it waits. */
  readonly since: number;
  /** The number of times that the breaker had closed then. */
  readonly closings?: number;
  /** The time of the last attempt; 0 for none. */
  readonly triedAt: number;
  /** The event at the head, and the time at which it is given up, though nothing may be tried. */
  readonly eventId: number;
  readonly givenUpAt?: number;
}

/** SDKs are served a change at most this long after its answer (`snapshotOf`). */
export const servedAfterMs = 1_500;
/** The longest that a change takes from its time stamp to its commit, with clocks a second apart. */
const commitMs = 31_000;
/** A lease is renewed where less than this is left: more than a request takes. */
const renewBelowMs = 40_000;

/**
 * Sends the events of a lane, in order, until none is left or one has to wait. Two runs of a lane never send at the
 * same time, be it in two processes.
 */
export function runLane(sender: Sender, plan: Plan, integration: Integration, run: Run): Promise<LaneEnd> {
  return paceOf(sender, integration).inLane(() => new LaneRun(sender, plan, integration, run).toEnd());
}

class LaneRun {
  readonly #sender: Sender;
  readonly #plan: Plan;
  readonly #run: Run;
  readonly #id: number;
  readonly #holder = randomUUID();
  #integration: Integration | undefined;
  /** The time at which it was loaded, with its troubles. */
  #loadedAt: number;
  #lane!: LaneItem;
  /** Something waits, of which the clock knows. */
  #isPending = false;
  /** The event up to which SDKs are known to be served all changes. */
  #servedUpTo: number;
  /** The event at the head is done, though the lane's item does not say so yet. */
  #isAhead = false;

  constructor(sender: Sender, plan: Plan, integration: Integration, run: Run) {
    this.#sender = sender;
    this.#plan = plan;
    this.#integration = integration;
    this.#run = run;
    this.#id = integration.id;
    this.#loadedAt = plan.loadedAt;
    this.#servedUpTo = run.upTo ?? 0;
  }

  async toEnd(): Promise<LaneEnd> {
    const { work, clock, signal } = this.#sender;
    if (signal.aborted) return 'busy';
    const claimed = await claimLane(work, {
      addon: this.#id,
      name: this.#run.name,
      holder: this.#holder,
      wanted: this.#run.upTo,
      early: this.#run.by === 'clock' || this.#run.by === 'probe',
      now: () => clock.now(),
    });
    if (typeof claimed === 'string') return claimed;
    this.#isPending = claimed.waitUntil > 0;
    this.#lane = { ...claimed, doneTo: await this.#beginning(claimed) };
    if (claimed.waitUntil <= clock.now()) this.#servedUpTo = Math.max(this.#servedUpTo, claimed.wanted);
    for (let next = this.#isPending ? claimed.next : 0; ; next = this.#lane.next) {
      const readAt = clock.now();
      const found = await readLaneEvents(work, this.#run.name, { doneTo: this.#lane.doneTo, next });
      let isCutShort = false;
      for (const each of found.events) {
        if (each.event.id <= this.#lane.doneTo) continue;
        if (signal.aborted) return this.#leave();
        if (!this.#isServed(each, readAt)) {
          // It may have been announced while the lane was waiting.
          const read = found.events.at(-1)?.event.id;
          if (this.#isPending) return this.#wait(each, this.#lane, { until: readAt + servedAfterMs, servedUpTo: read });
          // Its own doorbell rings when it is.
          isCutShort = true;
          break;
        }
        const end = await this.#pass(each);
        if (end !== undefined) return end;
      }
      if (found.hasMore && !isCutShort) {
        if (found.end > this.#lane.next) this.#lane = { ...this.#lane, next: found.end };
        continue;
      }
      const end = await this.#finish();
      if (end !== undefined) return end;
    }
  }

  /**
   * Returns the event after which a lane goes on. One that was idle has slept through others: it begins where the integration does,
   * or with the floor, so that a filter which was widened brings nothing of the past.
   */
  async #beginning({ doneTo, open }: LaneItem): Promise<number> {
    if (!this.#isPending) {
      const { from = Number.POSITIVE_INFINITY } = this.#run;
      return Math.max(doneTo, this.#integration?.after ?? 0, Math.min(this.#plan.state.floorId, from - 1));
    }
    if (open === '') return doneTo;
    const pending = await readItem<PendingLane>(this.#sender.work, sendingKeys.pendingLane(this.#id, this.#run.name));
    return Math.max(doneTo, (pending?.eventId ?? 0) - 1);
  }

  /** Tells whether SDKs are known to be served a change: one that was tried before, or was committed long ago, at least. */
  #isServed({ event: { id, createdAt } }: LaneEvent, readAt: number): boolean {
    return id <= this.#servedUpTo || this.#lane.failedAt > 0 || Date.parse(createdAt) < readAt - commitMs;
  }

  /** Takes an event past, or the lane to its end. */
  async #pass(each: LaneEvent): Promise<LaneEnd | undefined> {
    const now = this.#sender.clock.now();
    if (!isTrusted(this.#loadedAt, now)) {
      const [found, health] = await Promise.all([
        reloadIntegration(this.#sender, this.#id, this.#plan.state),
        readHealth(this.#sender.work, this.#id),
      ]);
      this.#integration = found;
      if (health === undefined) this.#plan.health.delete(this.#id);
      else this.#plan.health.set(this.#id, health);
      this.#loadedAt = now;
    }
    const integration = this.#integration;
    if (integration === undefined) return this.#remove();
    const event = integration.shownOf(each.event);
    if (event === undefined) {
      if (this.#lane.failedAt > 0) await this.#giveUp(each, 'The integration is not about it any more.');
      return this.#advance(each);
    }
    if (!integration.addon.enabled || each.event.id <= integration.after) {
      // What waited is named in the log; of others, nobody has ever tried to send one.
      if (this.#isPending) await this.#giveUp(each, 'The integration was switched off.');
      return this.#advance(each);
    }
    const givenUpAt = this.#givenUpAt(each);
    const health = this.#plan.health.get(this.#id);
    const blockedUntil = blockOf(health, integration.version, now, this.#run.by);
    // One that has only waited behind others, or has failed before the receiver was back, is tried once more.
    const isUntried = this.#isPending && this.#lane.failedAt === 0;
    const isWorth = blockedUntil === undefined && (isUntried || this.#hasRecovered(health));
    if (givenUpAt <= now && !isWorth) {
      const hours = Math.round((givenUpAt - Date.parse(event.createdAt)) / 3_600_000);
      await this.#giveUp(each, `It could not be sent within ${hours} hours.`);
      return this.#advance(each);
    }
    this.#lane = { ...this.#lane, givenUpAt };
    if (blockedUntil !== undefined) return this.#wait(each, this.#lane, { until: blockedUntil });
    const attempts = sendAttemptsOf(await this.#sentBefore(each));
    const spent = await countRequest(this.#sender, integration, event);
    if (spent !== undefined) {
      this.#plan.health.set(this.#id, spent);
      const stateDetails = 'The integration has had all requests of a day';
      const outcome = { state: 'failed', stateDetails, details: {}, attempts } as const;
      return this.#wait(each, this.#lane, { until: spent.askedUntil ?? now, outcome });
    }
    const delivery = await sendOnce(this.#sender, integration, {
      ...{ laneEvent: each, event, id: messageId(this.#plan.state.store, event), attempts },
      done: JSON.parse(this.#lane.targetsDone),
      keep: () => this.#keep(),
      isCurrent: () => this.#isCurrent(integration),
    });
    return delivery === undefined ? 'busy' : this.#afterDelivery(each, integration, delivery);
  }

  /** Tells whether an integration is still what it was, though a request may have taken long. */
  async #isCurrent(integration: Integration): Promise<boolean> {
    return isTrusted(this.#loadedAt, this.#sender.clock.now()) || isUnchanged(this.#sender, integration, this.#plan);
  }

  async #afterDelivery(each: LaneEvent, integration: Integration, delivery: Delivery): Promise<LaneEnd | undefined> {
    const { work, clock } = this.#sender;
    const { kind, outcome } = delivery;
    if (kind === 'taken' || kind === 'refused') {
      await writeSentEvent(work, this.#id, sentEventOf(each, outcome, clock.now()));
      const health = this.#plan.health.get(this.#id);
      // A refusal shows that the receiver is there, too.
      if (health !== undefined && delivery.isAnswered)
        this.#plan.health.set(this.#id, await noteSuccess(work, this.#id, health));
      return this.#advance(each);
    }
    if (kind === 'paused') {
      await noteFailure(work, integration, delivery);
      this.#plan.health.set(this.#id, await pauseAddon(work, this.#id, outcome.stateDetails));
      const stateDetails = `Paused until the integration is saved again: ${outcome.stateDetails}`;
      const lane = { ...this.#lane, targetsDone: JSON.stringify(delivery.done) };
      return this.#wait(each, lane, { until: Number.POSITIVE_INFINITY, outcome: { ...outcome, stateDetails } });
    }
    return this.#retryLater(each, integration, delivery);
  }

  async #retryLater(each: LaneEvent, integration: Integration, delivery: Delivery): Promise<LaneEnd | undefined> {
    const { work, clock } = this.#sender;
    const now = clock.now();
    const { outcome, afterMs, isPassing, done } = delivery;
    let health = await noteFailure(work, integration, delivery);
    this.#plan.health.set(this.#id, health);
    const failures = this.#lane.failures + (this.#run.by === 'probe' ? 0 : 1);
    const areOthersTaken = this.#hasRecovered(health);
    const suspected = suspect(this.#lane, { isPassing, areOthersTaken, now });
    const pause = pauseAfter(Math.max(failures, 1), afterMs);
    if (pause === undefined || (areOthersTaken && isSuspicious(suspected, now))) {
      const why = pause === undefined ? 'after the last attempt' : 'since others are taken';
      await this.#giveUp(each, `Given up ${why}: ${outcome.stateDetails}`, outcome);
      return this.#advance(each);
    }
    const { recoveries = 0 } = health;
    const head = { failures, failedAt: now, ...suspected, recoveries, targetsDone: JSON.stringify(done) };
    const stateDetails = `Attempt ${outcome.attempts.length} failed: ${outcome.stateDetails}`;
    const end = await this.#wait(
      each,
      { ...this.#lane, ...head },
      { until: now + pause, outcome: { ...outcome, stateDetails } },
    );
    if (afterMs > 0) health = await holdBack(work, integration, now + pause);
    if (await this.#isBroken(health)) health = await openBreaker(work, this.#id, health, now);
    this.#plan.health.set(this.#id, health);
    return end;
  }

  /** Tells whether others were taken since the last failure of the event at the head. */
  #hasRecovered({ recoveries = 0 }: Pick<Health, 'recoveries'> = {}): boolean {
    return this.#lane.failedAt > 0 && recoveries > this.#lane.recoveries;
  }

  /** Tells whether the whole integration fails, rather than an event. */
  async #isBroken(health: Health): Promise<boolean> {
    if (isOpen(health, this.#sender.clock.now())) return false;
    if (this.#run.by === 'probe') return true;
    if ((health.failures ?? 0) < breakerLanes) return false;
    const pending = queryPages(this.#sender.work, sendingKeys.pendingLanes(this.#id), { pageSize: breakerLanes });
    for await (const lanes of pending) return lanes.length >= breakerLanes;
    return false;
  }

  /** Lets the event at the head wait, and gives the lane back: all of it or nothing. */
  async #wait(each: LaneEvent, lane: LaneItem, { until, outcome, servedUpTo: wanted = 0 }: Wait): Promise<LaneEnd> {
    const [now, { name }] = [this.#sender.clock.now(), this.#run];
    const eventId = each.event.id;
    const givenUpAt = this.#givenUpAt(each);
    const waitUntil = Math.min(Math.ceil(until), givenUpAt);
    const { closings = 0 } = this.#plan.health.get(this.#id) ?? {};
    const expiresAtSeconds = laneExpiry(now);
    const pending: PendingLane = {
      name,
      waitUntil,
      since: now,
      closings,
      triedAt: lane.failedAt,
      eventId,
      givenUpAt,
    };
    // The lane goes on with this event, whatever was open before.
    const doneTo = Math.max(lane.doneTo, eventId - 1);
    const waiting: LaneItem = {
      ...lane,
      ...{ doneTo, open: '', givenUpAt, waitUntil, wanted, lease: '', leaseUntil: 0, expiresAtSeconds },
    };
    const next = `next at ${new Date(waitUntil).toISOString()}`;
    const sent = outcome && sentEventOf(each, { ...outcome, stateDetails: `${outcome.stateDetails}; ${next}` }, now);
    const isKept = await storeIfFirst(
      this.#sender.work,
      { put: sendingKeys.lane(this.#id, name), item: { ...waiting }, when: { same: { lease: this.#holder } } },
      { put: sendingKeys.pendingLane(this.#id, name), item: { ...pending, expiresAtSeconds } },
      // The clock looks only where there are troubles, and removes none that it has not looked at.
      { add: sendingKeys.addonHealth(this.#id), amounts: riseOfVersion() },
      ...(sent === undefined ? [] : [{ put: sendingKeys.sentEvent(this.#id, sent.eventId), item: { ...sent } }]),
    );
    return isKept ? 'waiting' : 'busy';
  }

  /**
   * Returns the time at which the event at the head is given up. One whose turn comes late, since others of its feature failed
   * before it, has some time left, unless it is too old for anything.
   */
  #givenUpAt({ event: { createdAt } }: LaneEvent): number {
    if (this.#lane.givenUpAt > 0) return this.#lane.givenUpAt;
    const madeAt = Date.parse(createdAt);
    const end = madeAt + giveUpAfterMs;
    if (!this.#isPending) return end;
    return Math.max(end, Math.min(this.#sender.clock.now() + turnMs, madeAt + giveUpAtLastMs));
  }

  /** Records an event that is not tried any more. */
  async #giveUp(each: LaneEvent, reason: string, outcome?: SendOutcome): Promise<void> {
    const { work, clock, log } = this.#sender;
    const attempts = outcome?.attempts ?? sendAttemptsOf(await this.#sentBefore(each));
    const failed = { state: 'failed', stateDetails: reason, details: outcome?.details ?? {}, attempts } as const;
    await writeSentEvent(work, this.#id, sentEventOf(each, failed, clock.now()));
    const { id: eventId, type } = each.event;
    const provider = this.#integration?.addon.provider ?? '';
    const attempt = attempts.length;
    log({ level: 'ERROR', integration: this.#id, provider, eventId, type, attempt, ms: 0, outcome: 'given up' });
  }

  async #sentBefore({ event }: LaneEvent): Promise<SentEvent | undefined> {
    if (!this.#isPending) return undefined;
    return readItem<SentEvent>(this.#sender.work, sendingKeys.sentEvent(this.#id, event.id));
  }

  #advance({ event: { id: doneTo }, next }: LaneEvent): undefined {
    this.#lane = { ...this.#lane, ...untried, doneTo, next, waitUntil: 0 };
    this.#isAhead = true;
  }

  /** Keeps the lane for one more request, and says in its item how far it has come. */
  async #keep(): Promise<boolean> {
    const { work, clock } = this.#sender;
    const now = clock.now();
    if (!this.#isAhead && this.#lane.leaseUntil - now >= renewBelowMs) return true;
    const set = { ...progressOf(this.#lane), leaseUntil: now + leaseMs };
    const kept = await changeHeld(work, sendingKeys.lane(this.#id, this.#run.name), this.#holder, set);
    if (kept === undefined) return false;
    this.#lane = { ...this.#lane, leaseUntil: now + leaseMs };
    this.#isAhead = false;
    return true;
  }

  /** Gives the lane back with nothing left to do; undefined where more is wanted. */
  async #finish(): Promise<LaneEnd | undefined> {
    const { work, clock } = this.#sender;
    const { name } = this.#run;
    const { wanted } = this.#lane;
    const isReleased = this.#isPending
      ? await storeIfFirst(work, this.#returned(0, { wanted }), { remove: sendingKeys.pendingLane(this.#id, name) })
      : await releaseLane(work, this.#id, name, { ...this.#lane, lease: this.#holder }, clock.now());
    if (isReleased) return 'done';
    const lane = await readLane(work, this.#id, name);
    if (lane?.lease !== this.#holder) return 'busy';
    this.#servedUpTo = Math.max(this.#servedUpTo, lane.wanted);
    this.#lane = { ...this.#lane, wanted: lane.wanted };
    return undefined;
  }

  /** Gives the lane back in the middle: the clock goes on with what waits, and the sweep with what does not. */
  async #leave(): Promise<LaneEnd> {
    const now = this.#sender.clock.now();
    await storeIfFirst(this.#sender.work, this.#returned(this.#isPending ? now : 0));
    return 'busy';
  }

  /** Removes the lane of an integration that is gone. */
  async #remove(): Promise<LaneEnd> {
    const { name } = this.#run;
    await storeIfFirst(
      this.#sender.work,
      { remove: sendingKeys.lane(this.#id, name), when: { same: { lease: this.#holder } } },
      { remove: sendingKeys.pendingLane(this.#id, name) },
    );
    return 'done';
  }

  #returned(waitUntil: number, same: Partial<LaneItem> = {}): Write {
    const expiresAtSeconds = laneExpiry(this.#sender.clock.now());
    const item = { ...this.#lane, open: '', waitUntil, wanted: 0, lease: '', leaseUntil: 0, expiresAtSeconds };
    return { put: sendingKeys.lane(this.#id, this.#run.name), item, when: { same: { lease: this.#holder, ...same } } };
  }
}

/** A wait of the event at the head of a lane. */
interface Wait {
  /** Milliseconds since 1970. */
  readonly until: number;
  /** The outcome for its record; undefined where there is nothing new to say. */
  readonly outcome?: SendOutcome;
  /** The event up to which SDKs are served all changes once it has waited. */
  readonly servedUpTo?: number | undefined;
}
