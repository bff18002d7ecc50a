import { retryAtMostMs, retryMs } from '../../../lib/integrations/sending/backoff.ts';
import type { DeliveryRecord } from '../../../lib/integrations/sending/delivery-records.ts';

/** An attempt to deliver an event, as the receiver saw it: it takes it, fails with it, refuses it for good, or is away. */
export interface SeenAttempt {
  readonly id: number;
  readonly feature: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly as: 'taken' | 'failed' | 'refused' | 'away';
}

const minuteMs = 60_000;
/** The longest time without an attempt, be it of an event that fails or to a receiver that is away: an hour, and half of one until the next poll. */
const pauseMaxMs = 95 * minuteMs;

/**
 * Tells whether an event was given up for a reason that will do, by what the receiver saw: it was refused for good; or 72 hours had
 * passed, and it failed shortly before, or nothing was taken then.
 */
export function mayBeGivenUp(
  { eventId, at: givenUpAt }: Pick<DeliveryRecord, 'eventId' | 'at'>,
  createdAt: string,
  attempts: readonly SeenAttempt[],
): boolean {
  const at = Date.parse(givenUpAt);
  const age = at - Date.parse(createdAt);
  const own = attempts.filter(({ id }) => id === eventId);
  if (own.some(({ as }) => as === 'refused')) return true;
  if (age < retryMs || age > retryAtMostMs + pauseMaxMs) return false;
  const last = own.at(-1);
  const hasFailed = last !== undefined && /^(failed|away)$/.test(last.as) && last.at >= at - pauseMaxMs;
  const recent = attempts.filter((attempt) => attempt.at >= at - pauseMaxMs && attempt.at <= at);
  return hasFailed || recent.every(({ as }) => as === 'failed' || as === 'away');
}
