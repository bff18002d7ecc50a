import { randomUUID } from 'node:crypto';
import { storeIfFirst } from '../../entity/store-if-first.ts';
import type { Event } from '../../events/event-schema.ts';
import { queryPages, readItem } from '../../store/read.ts';
import type { Write } from '../../store/transactions/write.ts';
import { countRequest } from './day-limit.ts';
import {
  blockOf,
  type Caller,
  type Health,
  holdBack,
  noteFailure,
  noteSuccess,
  openBreaker,
  pauseAddon,
  readHealth,
  riseOfVersion,
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
import { breakerLanes, giveUpAfterMs, isSuspicious, pauseAfter, suspect } from './schedule.ts';
import { type Delivery, messageId, sendOnce, type TargetDone } from './send-once.ts';
import { type Integration, isUnchanged, type Plan, paceOf, reloadIntegration, type Sender, trustMs } from './sender.ts';
import { type SendOutcome, type SentEvent, sendAttemptsOf, sentEventOf, writeSentEvent } from './sent-events.ts';

/** The way in which a lane was left: with nothing to do, with an event that waits, or to another holder. */
export type LaneEnd = 'done' | 'waiting' | 'busy';

/** A run through a lane. */
export interface Run {
  readonly name: string;
  /** The event up to which SDKs are known to be served all changes. */
  readonly upTo?: number;
  /**
   * The reason for it: an event that was announced, or found in the list of all; an event that waits and is due; or the question
   * whether the receiver is back, so that a failure is none of the event's own.
   */
  readonly by: Caller;
}

/** A lane that waits, for the clock. */
export interface PendingLane {
  readonly name: string;
  readonly waitUntil: number;
  /** The time since which it waits. */
  readonly since: number;
  /** The time of the last attempt; 0 for none. */
  readonly triedAt: number;
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
  #trustedUntil: number;
  #lane!: LaneItem;
  /** Nothing of before is sent. */
  #from = '';
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
    this.#trustedUntil = plan.loadedAt + trustMs;
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
    this.#lane = claimed;
    if (claimed.waitUntil <= clock.now()) this.#servedUpTo = Math.max(this.#servedUpTo, claimed.wanted);
    this.#from = claimed.open || (this.#integration?.from ?? '');
    for (let next = claimed.open === '' ? 0 : claimed.next; ; next = this.#lane.next) {
      const readAt = clock.now();
      const found = await readLaneEvents(work, this.#run.name, { doneTo: this.#lane.doneTo, next, from: this.#from });
      let isCutShort = false;
      for (const each of found.events) {
        if (each.event.id <= this.#lane.doneTo) continue;
        if (signal.aborted) return this.#leave();
        if (!this.#isServed(each, readAt)) {
          // It may have been announced while the lane was waiting.
          const read = found.events.at(-1)?.event.id;
          if (claimed.open !== '') return this.#wait(each, this.#lane, readAt + servedAfterMs, undefined, read);
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

  /** Tells whether SDKs are known to be served a change: one that was tried before, or was committed long ago, at least. */
  #isServed({ event: { id, createdAt } }: LaneEvent, readAt: number): boolean {
    return id <= this.#servedUpTo || this.#lane.failedAt > 0 || Date.parse(createdAt) < readAt - commitMs;
  }

  /** Takes an event past, or the lane to its end. */
  async #pass(each: LaneEvent): Promise<LaneEnd | undefined> {
    const now = this.#sender.clock.now();
    if (now >= this.#trustedUntil) {
      const [found, health] = await Promise.all([
        reloadIntegration(this.#sender, this.#id, this.#plan.state),
        readHealth(this.#sender.work, this.#id),
      ]);
      this.#integration = found;
      if (health === undefined) this.#plan.health.delete(this.#id);
      else this.#plan.health.set(this.#id, health);
      this.#trustedUntil = now + trustMs;
    }
    const integration = this.#integration;
    if (integration === undefined) return this.#remove();
    const event = integration.shownOf(each.event);
    if (event === undefined) {
      if (this.#lane.failedAt > 0) await this.#giveUp(each, 'The integration is not about it any more.');
      return this.#advance(each);
    }
    if (!integration.addon.enabled || each.event.createdAt < (integration.addon.enabledAt ?? '')) {
      // What waited is named in the log; of others, nobody has ever tried to send one.
      if (this.#lane.open !== '') await this.#giveUp(each, 'The integration was switched off.');
      return this.#advance(each);
    }
    const blockedUntil = blockOf(this.#plan.health.get(this.#id), integration.version, now, this.#run.by);
    // One that has waited behind another all the time is tried once.
    const isHeldUp = this.#lane.open !== '' && this.#lane.failedAt === 0 && blockedUntil === undefined;
    if (Date.parse(event.createdAt) + giveUpAfterMs <= now && !isHeldUp) {
      await this.#giveUp(each, `It could not be sent within ${giveUpAfterMs / 3_600_000} hours.`);
      return this.#advance(each);
    }
    if (blockedUntil !== undefined) return this.#wait(each, this.#lane, blockedUntil, undefined);
    const spent = await countRequest(this.#sender, integration, event);
    if (spent !== undefined) {
      this.#plan.health.set(this.#id, spent);
      return this.#wait(each, this.#lane, spent.askedUntil ?? now, await this.#heldBack(each));
    }
    const delivery = await this.#send(each, event, integration, JSON.parse(this.#lane.targetsDone));
    return delivery === undefined ? 'busy' : this.#afterDelivery(each, integration, delivery);
  }

  async #heldBack(each: LaneEvent): Promise<SendOutcome> {
    const attempts = sendAttemptsOf(await this.#sentBefore(each));
    return { state: 'failed', stateDetails: 'The integration has had all requests of a day', details: {}, attempts };
  }

  async #send(each: LaneEvent, event: Event, integration: Integration, done: readonly TargetDone[]) {
    return sendOnce(this.#sender, integration, {
      laneEvent: each,
      event,
      id: messageId(this.#plan.state.store, event),
      attempts: sendAttemptsOf(await this.#sentBefore(each)),
      done,
      keep: () => this.#keep(),
      isCurrent: () => this.#isCurrent(integration),
    });
  }

  /** Tells whether an integration is still what it was, though a request may have taken long. */
  async #isCurrent(integration: Integration): Promise<boolean> {
    return this.#sender.clock.now() < this.#trustedUntil || isUnchanged(this.#sender, integration, this.#plan);
  }

  async #afterDelivery(each: LaneEvent, integration: Integration, delivery: Delivery): Promise<LaneEnd | undefined> {
    const { work, clock } = this.#sender;
    const { kind, outcome } = delivery;
    if (kind === 'taken' || kind === 'refused') {
      await writeSentEvent(work, this.#id, sentEventOf(each, outcome, clock.now()));
      const health = this.#plan.health.get(this.#id);
      // A refusal shows that the receiver is there, too.
      if (health !== undefined && delivery.isAnswered)
        this.#plan.health.set(this.#id, await noteSuccess(work, this.#id, health, clock.now()));
      return this.#advance(each);
    }
    if (kind === 'paused') {
      await noteFailure(work, integration, clock.now(), delivery);
      this.#plan.health.set(this.#id, await pauseAddon(work, this.#id, outcome.stateDetails));
      const stateDetails = `Paused until the integration is saved again: ${outcome.stateDetails}`;
      const lane = { ...this.#lane, targetsDone: JSON.stringify(delivery.done) };
      return this.#wait(each, lane, Number.POSITIVE_INFINITY, { ...outcome, stateDetails });
    }
    return this.#retryLater(each, integration, delivery);
  }

  async #retryLater(each: LaneEvent, integration: Integration, delivery: Delivery): Promise<LaneEnd | undefined> {
    const { work, clock } = this.#sender;
    const now = clock.now();
    const { outcome, afterMs, isPassing, done } = delivery;
    let health = await noteFailure(work, integration, now, delivery);
    const { lastSuccessAt = 0 } = health;
    const failures = this.#lane.failures + (this.#run.by === 'probe' ? 0 : 1);
    const createdAt = Date.parse(each.event.createdAt);
    const suspected = suspect(this.#lane, { isPassing, lastSuccessAt, createdAt, now });
    const pause = pauseAfter(Math.max(failures, 1), afterMs);
    if (pause === undefined || (isSuspicious(suspected, now) && lastSuccessAt > this.#lane.failedAt)) {
      const why = pause === undefined ? 'after the last attempt' : 'since others are taken';
      await this.#giveUp(each, `Given up ${why}: ${outcome.stateDetails}`, outcome);
      return this.#advance(each);
    }
    const lane = { ...this.#lane, failures, ...suspected, targetsDone: JSON.stringify(done) };
    const stateDetails = `Attempt ${outcome.attempts.length} failed: ${outcome.stateDetails}`;
    const end = await this.#wait(each, lane, now + pause, { ...outcome, stateDetails });
    if (afterMs > 0) health = await holdBack(work, integration, now + pause);
    if (await this.#isBroken(health)) health = await openBreaker(work, this.#id, health, now);
    this.#plan.health.set(this.#id, health);
    return end;
  }

  /** Tells whether the whole integration fails, rather than an event. */
  async #isBroken({ openUntil = 0, lastSuccessAt = 0, failingSince = 0 }: Health): Promise<boolean> {
    if (openUntil > this.#sender.clock.now() || lastSuccessAt > failingSince) return false;
    const pending = queryPages(this.#sender.work, sendingKeys.pendingLanes(this.#id), { pageSize: breakerLanes });
    for await (const lanes of pending) return lanes.length >= breakerLanes || this.#run.by === 'probe';
    return false;
  }

  /**
   * Lets the event at the head wait, and gives the lane back: all of it or nothing.
   * @param wanted the event up to which SDKs are served all changes once it has waited.
   */
  async #wait(
    each: LaneEvent,
    lane: LaneItem,
    until: number,
    outcome: SendOutcome | undefined,
    wanted = 0,
  ): Promise<LaneEnd> {
    const [now, { name }] = [this.#sender.clock.now(), this.#run];
    const waitUntil = Math.min(Math.ceil(until), Date.parse(each.event.createdAt) + giveUpAfterMs);
    const pending: PendingLane = { name, waitUntil, since: now, triedAt: lane.failedAt };
    const expiresAtSeconds = laneExpiry(now);
    const waiting: LaneItem = {
      ...lane,
      ...{ open: this.#from, waitUntil, wanted, lease: '', leaseUntil: 0, expiresAtSeconds },
    };
    const next = `next at ${new Date(waitUntil).toISOString()}`;
    const sent = outcome && sentEventOf(each, { ...outcome, stateDetails: `${outcome.stateDetails}; ${next}` }, now);
    const isKept = await storeIfFirst(
      this.#sender.work,
      { put: sendingKeys.lane(this.#id, name), item: { ...waiting }, when: { same: { lease: this.#holder } } },
      { put: sendingKeys.pendingLane(this.#id, name), item: { ...pending, eventId: each.event.id, expiresAtSeconds } },
      // The clock looks only where there are troubles, and removes none that it has not looked at.
      { add: sendingKeys.addonHealth(this.#id), amounts: riseOfVersion() },
      ...(sent === undefined ? [] : [{ put: sendingKeys.sentEvent(this.#id, sent.eventId), item: { ...sent } }]),
    );
    return isKept ? 'waiting' : 'busy';
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
    if (this.#lane.open === '') return undefined;
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
    const { open, wanted } = this.#lane;
    const isReleased =
      open === ''
        ? await releaseLane(work, this.#id, name, { ...this.#lane, lease: this.#holder }, clock.now())
        : await storeIfFirst(this.#sender.work, this.#returned({ open: '', waitUntil: 0 }, { wanted }), {
            remove: sendingKeys.pendingLane(this.#id, name),
          });
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
    const { open } = this.#lane;
    await storeIfFirst(this.#sender.work, this.#returned({ open, waitUntil: open === '' ? 0 : now }));
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

  #returned(as: Pick<LaneItem, 'open' | 'waitUntil'>, same: Partial<LaneItem> = {}): Write {
    const expiresAtSeconds = laneExpiry(this.#sender.clock.now());
    const item = { ...this.#lane, ...as, wanted: 0, lease: '', leaseUntil: 0, expiresAtSeconds };
    return { put: sendingKeys.lane(this.#id, this.#run.name), item, when: { same: { lease: this.#holder, ...same } } };
  }
}
