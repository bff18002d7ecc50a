import type { Request } from '../../request.ts';
import { changeItem } from '../../store/change-item.ts';
import { queryPages, readItem } from '../../store/read.ts';
import { backoffOf, isInFuture, retryAfterMaxMs, silenceMs, trialPauseMaxMs } from './backoff.ts';
import * as sendingKeys from './keys.ts';

/** The item of an integration with events to retry or to send again. Times are in milliseconds since 1970. */
export interface ReceiverState extends Partial<ReceiverHealth> {
  /** Changes with every change of the state, and whenever something starts to wait. */
  readonly version: number;
  /** The version of the integration to which the state belongs. Saving the integration ends all pauses. */
  readonly ofVersion?: number;
}

/** The health of a receiver. */
export interface ReceiverHealth {
  /** The failures since the last success. */
  readonly failures: number;
  /** The number of pauses since the last success; after one, the receiver counts as down. */
  readonly openings: number;
  /** The end of the last pause: the time of the next trial request. */
  readonly openUntil: number;
  /** The time until which nothing is sent: the receiver asked for it, did not answer, or has had all requests of a day. */
  readonly askedUntil: number;
  /** The reason of a pause until somebody saves the integration; empty for none. */
  readonly paused: string;
}

/** The failure of a request. */
export interface ReceiverFailure {
  readonly kind: 'retry' | 'paused';
  readonly reason: string;
  /** The pause that the receiver asks for, in milliseconds. */
  readonly afterMs: number;
  /** No answer came within the time. */
  readonly isSilent: boolean;
}

const healthy: ReceiverHealth = { failures: 0, openings: 0, openUntil: 0, askedUntil: 0, paused: '' };

/** The number of failures in a row, and of waiting queues, at which a receiver counts as down. */
const downFrom = 3;

/** Returns the health of a receiver for a version of its integration. Pauses that are over are 0. */
export function receiverHealthOf(state: ReceiverState | undefined, version: number, now: number): ReceiverHealth {
  if (state?.ofVersion !== version) return healthy;
  const { failures, openings, openUntil, askedUntil, paused } = { ...healthy, ...state };
  return {
    failures,
    openings,
    openUntil: isInFuture(openUntil, now, trialPauseMaxMs) ? openUntil : 0,
    askedUntil: isInFuture(askedUntil, now, retryAfterMaxMs) ? askedUntil : 0,
    paused,
  };
}

/** Returns the time until which nothing may be sent, or no trial request; undefined if sending is allowed. */
export function blockOf(health: ReceiverHealth, now: number, isTrial: boolean): number | undefined {
  const { openings, openUntil, askedUntil, paused } = health;
  if (paused !== '') return Number.POSITIVE_INFINITY;
  const isDown = openings > 0 && (!isTrial || openUntil > 0);
  return isDown || askedUntil > 0 ? Math.max(openUntil, askedUntil, now) : undefined;
}

/** Returns the health of a receiver after a failure. @param areManyWaiting whether several queues wait. @internal */
export function addFailure(
  health: ReceiverHealth,
  { kind, reason, afterMs, isSilent }: ReceiverFailure,
  now: number,
  areManyWaiting: boolean,
): ReceiverHealth {
  if (kind === 'paused') return { ...health, paused: reason.toWellFormed() };
  const failures = health.failures + 1;
  const pauseMs = Math.max(Math.min(afterMs, retryAfterMaxMs), isSilent ? silenceMs : 0);
  const askedUntil = Math.max(health.askedUntil, pauseMs > 0 ? now + pauseMs : 0);
  const isDown = health.openings > 0 || (failures >= downFrom && areManyWaiting);
  // Concurrent failures count once.
  if (!isDown || health.openUntil > 0) return { ...health, failures, askedUntil };
  const openings = health.openings + 1;
  return { ...health, failures, askedUntil, openings, openUntil: now + backoffOf(openings, trialPauseMaxMs) };
}

/** An integration at a time. */
interface Subject {
  readonly id: number;
  readonly version: number;
  readonly now: number;
}

/** Records a failure of a request. */
export async function recordFailure(
  request: Request,
  subject: Subject,
  failure: ReceiverFailure,
): Promise<ReceiverState> {
  const areManyWaiting = await hasManyWaiting(request, subject.id);
  return change(request, subject, (health) => addFailure(health, failure, subject.now, areManyWaiting));
}

/** Records a success after a failure. */
export async function recordSuccess(request: Request, subject: Subject, state: ReceiverState): Promise<ReceiverState> {
  const { failures, openings } = receiverHealthOf(state, subject.version, subject.now);
  if (failures === 0 && openings === 0) return state;
  return change(request, subject, (health) => ({ ...health, failures: 0, openings: 0, openUntil: 0 }));
}

/** Pauses an integration until a time. */
export function pauseUntil(request: Request, subject: Subject, until: number): Promise<ReceiverState> {
  return change(request, subject, (health) => ({ ...health, askedUntil: Math.max(health.askedUntil, until) }));
}

/** Returns a random increment of the version, so that no version repeats even after a removal of the item. */
export function raiseVersion(): { readonly version: number } {
  return { version: 1 + Math.floor(Math.random() * 1_000_000) };
}

/** Reads the state of a receiver; undefined if nothing waits. */
export function readReceiverState(request: Request, addon: number): Promise<ReceiverState | undefined> {
  return readItem<ReceiverState>(request, sendingKeys.receiverState(addon));
}

async function hasManyWaiting(request: Request, addon: number): Promise<boolean> {
  const pages = queryPages(request, sendingKeys.retries(addon), { pageSize: downFrom });
  for await (const queues of pages) return queues.length >= downFrom;
  return false;
}

/** Changes the state, with retries after concurrent changes. */
async function change(
  request: Request,
  { id, version, now }: Subject,
  decide: (health: ReceiverHealth) => ReceiverHealth,
): Promise<ReceiverState> {
  for (;;) {
    const before = await readReceiverState(request, id);
    const set = { ofVersion: version, ...decide(receiverHealthOf(before, version, now)) };
    const condition =
      before === undefined
        ? { ConditionExpression: 'attribute_not_exists(pk)' }
        : { ConditionExpression: 'version = :version', ExpressionAttributeValues: { ':version': before.version } };
    const changed = await changeItem(request, sendingKeys.receiverState(id), { set, add: raiseVersion() }, condition);
    if (changed !== undefined) return changed as unknown as ReceiverState;
  }
}
