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

/** The record of an event that an integration has sent, retries or has given up. */
export interface SentEvent {
  readonly eventId: number;
  readonly state: 'success' | 'failed' | 'successWithErrors';
  readonly stateDetails: string;
  /** JSON, without the event itself. */
  readonly details: string;
  /** JSON: the attempts, oldest first. */
  readonly attempts: string;
  /** The time of the last attempt. */
  readonly at: string;
  /** The item of the event. */
  readonly eventPk: string;
  readonly eventSk: string;
  /** JSON of a test event. */
  readonly event?: string;
  readonly expiresAtSeconds: number;
}

/** The time after which records expire. */
const keptSeconds = 30 * 86_400;
/** The most attempts of a record. */
const attemptsMax = 14;
const detailsLengthMax = 4_000;
const textLengthMax = 1_000;

/** The content of a record: the outcome and the attempts. */
export interface SendOutcome {
  readonly state: SentEvent['state'];
  readonly stateDetails: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly attempts: readonly SendAttempt[];
}

/** Builds the record of an event. */
export function sentEventOf({ event, key }: QueueEvent, outcome: SendOutcome, now: number): SentEvent {
  const details = JSON.stringify(outcome.details);
  return {
    eventId: event.id,
    state: outcome.state,
    // The text of a receiver may be cut within a character, which DynamoDB refuses.
    stateDetails: outcome.stateDetails.slice(0, textLengthMax).toWellFormed(),
    details: details.length <= detailsLengthMax ? details : JSON.stringify(withoutLong(outcome.details)),
    attempts: JSON.stringify(outcome.attempts.slice(-attemptsMax)),
    at: new Date(now).toISOString(),
    eventPk: key.pk,
    eventSk: key.sk,
    expiresAtSeconds: computeExpiry(keptSeconds, now),
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
export async function writeSentEvent(work: Request, addon: number, sent: SentEvent): Promise<void> {
  await changeItem(work, sendingKeys.sentEvent(addon, sent.eventId), { set: { ...sent } });
}

/** Returns the attempts of a record. */
export function sendAttemptsOf(sent: Pick<SentEvent, 'attempts'> | undefined): SendAttempt[] {
  return sent === undefined ? [] : JSON.parse(sent.attempts);
}

/** Returns the key of the item of the event of a record. */
export function eventKeyOf({ eventPk: pk, eventSk: sk }: SentEvent): Key {
  return { pk, sk };
}
