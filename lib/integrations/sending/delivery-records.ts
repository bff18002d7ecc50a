import type { Request } from '../../request.ts';
import { changeItem } from '../../store/change-item.ts';
import type { Key } from '../../store/client/definition.ts';
import { computeExpiry } from '../../values/time.ts';
import * as sendingKeys from './keys.ts';
import type { QueueEvent } from './queue-events.ts';

/** One attempt to send an event. */
export interface SendAttempt {
  /** ISO 8601. */
  readonly at: string;
  readonly ms: number;
  /** Empty for success. */
  readonly reason: string;
}

/** The record of an event that was sent, will be retried, or was given up. */
export interface DeliveryRecord {
  readonly eventId: number;
  readonly state: 'success' | 'failed' | 'successWithErrors';
  readonly stateDetails: string;
  /** JSON: the address, channel or body of the last request. A body that is the event itself is omitted. */
  readonly details: string;
  /** JSON: the attempts, oldest first. */
  readonly attempts: string;
  /** The time of the last attempt. */
  readonly at: string;
  /** The key of the event's item. */
  readonly eventPk: string;
  readonly eventSk: string;
  /** JSON of a test event. */
  readonly event?: string;
  readonly expiresAtSeconds: number;
}

const recordLifetimeSeconds = 30 * 86_400;
/** The number of attempts that a record keeps; older ones are dropped. */
const attemptsMax = 14;
const detailsLengthMax = 4_000;
const textLengthMax = 1_000;

/** The outcome of sending an event, and all attempts. */
export interface SendOutcome {
  readonly state: DeliveryRecord['state'];
  readonly stateDetails: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly attempts: readonly SendAttempt[];
}

/** Builds the record of an event. */
export function buildDeliveryRecord({ event, key }: QueueEvent, outcome: SendOutcome, now: number): DeliveryRecord {
  const details = JSON.stringify(outcome.details);
  return {
    eventId: event.id,
    state: outcome.state,
    // The cut may split a surrogate pair, and DynamoDB refuses half of one.
    stateDetails: outcome.stateDetails.slice(0, textLengthMax).toWellFormed(),
    details: details.length <= detailsLengthMax ? details : JSON.stringify(withoutLong(outcome.details)),
    attempts: JSON.stringify(outcome.attempts.slice(-attemptsMax)),
    at: new Date(now).toISOString(),
    eventPk: key.pk,
    eventSk: key.sk,
    expiresAtSeconds: computeExpiry(recordLifetimeSeconds, now),
  };
}

/** Cuts long details, so that records stay small. */
function withoutLong(details: SendOutcome['details']): SendOutcome['details'] {
  return Object.fromEntries(
    Object.entries(details).map(([name, value]) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      return text === undefined || text.length <= textLengthMax
        ? [name, value]
        : [name, `${text.slice(0, textLengthMax)}…`];
    }),
  );
}

/** Writes the record of an event without a transaction. */
export async function writeDeliveryRecord(request: Request, addon: number, record: DeliveryRecord): Promise<void> {
  await changeItem(request, sendingKeys.sentEvent(addon, record.eventId), { set: { ...record } });
}

/** Returns the attempts of a record. */
export function sendAttemptsOf(record: Pick<DeliveryRecord, 'attempts'> | undefined): SendAttempt[] {
  return record === undefined ? [] : JSON.parse(record.attempts);
}

/** Returns the key of the event's item. */
export function eventKeyOf({ eventPk: pk, eventSk: sk }: DeliveryRecord): Key {
  return { pk, sk };
}
