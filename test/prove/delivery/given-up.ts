import type { SentEvent } from '../../../lib/integrations/sending/sent-events.ts';

/** An attempt to deliver an event, as the receiver saw it: it takes it, fails with it, refuses it for good, or is away. */
export interface SeenAttempt {
  readonly id: number;
  readonly feature: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly as: 'taken' | 'failed' | 'refused' | 'away';
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const attemptsMin = 5;
const lateAttemptsMin = 3;
/** With each pause at its shortest, the schedule ends before 72 hours. */
const attemptsMax = 12;

/**
 * Tells whether an event was given up for a reason that will do, by what the receiver saw: it was refused for good; it alone
 * failed, time and again, while others were taken; it failed three times once its turn had come after 72 hours; or these passed, and nothing else was taken in the last of them, since
 * the receiver was away or nothing else was there.
 */
export function mayBeGivenUp(
  { eventId, at: givenUpAt }: Pick<SentEvent, 'eventId' | 'at'>,
  createdAt: string,
  attempts: readonly SeenAttempt[],
): boolean {
  const [at, from] = [Date.parse(givenUpAt), Date.parse(createdAt)];
  const own = attempts.filter(({ id }) => id === eventId);
  const wereOthersTaken = (since: number, until = Number.POSITIVE_INFINITY) =>
    attempts.some(
      (each) => each.id !== eventId && each.at > since && each.at < until && /^(taken|refused)$/.test(each.as),
    );
  if (own.some(({ as }) => as === 'refused')) return true;
  const [first] = own;
  // Lost connections count where others were taken about since the attempt before: only later ones show that it is an outage.
  const counted = own.filter(
    ({ as, at: triedAt }, index) =>
      as === 'failed' || wereOthersTaken((own[index - 1]?.at ?? from) - minuteMs, triedAt),
  );
  const isToBlame =
    first !== undefined &&
    counted.length >= attemptsMin &&
    at - first.at >= 45 * minuteMs &&
    wereOthersTaken(own.at(-2)?.at ?? 0);
  const isOver = at - from >= 71 * hourMs || own.length >= attemptsMax;
  // Others of its feature were given up before it, and its turn may have come while the receiver was away.
  const lateFailures = own.filter((each) => each.as === 'failed' && each.at >= from + 70 * hourMs);
  const wasHeldUp = lateFailures.length >= lateAttemptsMin;
  const lastDay = attempts.filter((each) => each.at >= at - 24 * hourMs && each.at <= at);
  const wasAway = lastDay.length > 0 && lastDay.every(({ as }) => as === 'away');
  const isLonely = own.length >= attemptsMin && !wereOthersTaken(at - 24 * hourMs);
  return isToBlame || (isOver && (isLonely || wasAway || wasHeldUp));
}
