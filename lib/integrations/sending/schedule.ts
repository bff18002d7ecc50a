const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** The time after its commit in which an event is sent or given up. */
export const giveUpAfterMs = 72 * hourMs;

/** The time that an event has at least once its turn has come, and the age at which it is given up all the same. */
export const turnMs = 2 * hourMs;
export const giveUpAtLastMs = 96 * hourMs;

/** The pause before the one further attempt that follows a lost connection at once. */
export const soonMs = secondMs;

/** The longest pause that a receiver may ask for. */
export const retryAfterMaxMs = 24 * hourMs;

/** The pauses after each failed attempt, with which the last attempt is 71 h 51 min after the first. */
const pausesMs = [
  ...[1, 5, 15, 30].map((minutes) => minutes * minuteMs),
  ...[1, 2, 4, 8, 12, 20, 24].map((hours) => hours * hourMs),
];

/** The longest of all pauses. */
export const pauseMaxMs = 1.1 * retryAfterMaxMs;

/**
 * Returns the milliseconds until the next attempt, give or take a tenth; undefined after the last one.
 * @param failures how many attempts have failed, counting one that was repeated at once as one.
 * @param askedForMs the pause that the receiver asks for; the longer of both counts.
 */
export function pauseAfter(failures: number, askedForMs = 0, random = Math.random()): number | undefined {
  const pause = pausesMs[failures - 1];
  return pause === undefined
    ? undefined
    : Math.max(pause * (0.9 + 0.2 * random), Math.min(askedForMs, retryAfterMaxMs));
}

/** The failures of an event that may be its own fault, and the time of the first of them. */
interface Suspicions {
  readonly suspicions: number;
  readonly suspectedAt: number;
}

/** From this failure on, and after this time, an event can be to blame: a receiver fails so often in it, with short pauses. */
const suspiciousFrom = 5;
const suspiciousMs = 45 * minuteMs;

/** Failure to send an event. */
interface Failure {
  /** True for a lost connection or the like, which is the event's own fault only where others are taken meanwhile. */
  readonly isPassing: boolean;
  /** Others were taken since its failure before. */
  readonly areOthersTaken: boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Counts one more failure of an event. */
export function suspect(
  { suspicions, suspectedAt }: Suspicions,
  { isPassing, areOthersTaken, now }: Failure,
): Suspicions {
  if (isPassing && !areOthersTaken) return { suspicions, suspectedAt };
  return { suspicions: suspicions + 1, suspectedAt: suspectedAt || now };
}

/** Tells whether an event has failed so often, and for so long, that it is to blame where others are taken. */
export function isSuspicious({ suspicions, suspectedAt }: Suspicions, now: number): boolean {
  return suspicions >= suspiciousFrom && now - suspectedAt >= suspiciousMs;
}

/** The number of lanes that must wait, with no success since, for the breaker to open. */
export const breakerLanes = 3;

export const breakerMaxMs = 60 * minuteMs;

/** Returns the milliseconds for which the breaker keeps an integration from being tried. */
export function breakerMs(openings: number): number {
  return Math.min(2 ** openings * minuteMs, breakerMaxMs);
}

/** The most by which clocks are trusted to differ. */
export const clocksApartMs = 10 * minuteMs;

/**
 * Tells whether a time is still to come that was set at most so long before it. One that lies further ahead was set by a
 * clock that has been set back since, and would hold things back for as long as that was ahead.
 */
export function isAhead(until: number, now: number, mostMs: number): boolean {
  return until > now && until <= now + mostMs + clocksApartMs;
}
