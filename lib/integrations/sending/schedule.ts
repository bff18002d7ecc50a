const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** The time after its commit in which an event is sent or given up. */
export const giveUpAfterMs = 72 * hourMs;

/** The pause before the one further attempt that follows a lost connection at once. */
export const soonMs = secondMs;

/** The longest pause that a receiver may ask for. */
export const retryAfterMaxMs = 24 * hourMs;

/** The pauses after each failed attempt, with which the last attempt is 71 h 51 min after the first. */
const pausesMs = [
  ...[1, 5, 15, 30].map((minutes) => minutes * minuteMs),
  ...[1, 2, 4, 8, 12, 20, 24].map((hours) => hours * hourMs),
];

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

/** From this failure of an event on, the event is to blame where others have been taken meanwhile. */
const poisonousFrom = 5;

/** Tells whether an event is given up because it alone fails: the integration has delivered others since its first attempt. */
export function isPoisonous(failures: number, firstFailedAt: number, lastSuccessAt: number): boolean {
  return failures >= poisonousFrom && lastSuccessAt > firstFailedAt;
}

/** The number of lanes that must wait, with no success since, for the breaker to open. */
export const breakerLanes = 3;

/** Returns the milliseconds for which the breaker keeps an integration from being tried. */
export function breakerMs(openings: number): number {
  return Math.min(2 ** openings, 60) * minuteMs;
}
