const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** The time for which an event is retried after its change. */
export const retryMs = 72 * hourMs;

/** The least time for an event that waited behind failing ones, and the age at which it is given up anyway. */
export const turnMs = 2 * hourMs;
export const retryAtMostMs = 96 * hourMs;

/** The longest pause between two attempts of an event, and between two trial requests to a receiver. */
export const attemptPauseMaxMs = hourMs;
export const trialPauseMaxMs = 15 * minuteMs;

/** The longest `Retry-After` that is respected. */
export const retryAfterMaxMs = 24 * hourMs;

/** The pause after a request without an answer, which takes 15 seconds. */
export const silenceMs = minuteMs;

/** The pause before the one immediate retry after a lost connection. */
export const repeatMs = 1_000;

/** The largest expected difference of clocks. */
export const clocksApartMs = 10 * minuteMs;

/** Returns the milliseconds to wait after a number of failures in a row: 1, 2, 4 … minutes, up to the longest pause. */
export function backoffOf(failures: number, longestMs: number): number {
  return Math.min(2 ** (failures - 1) * minuteMs, longestMs);
}

/**
 * Tells whether the end of a pause is in the future. A pause beyond the longest one was set by a clock that was ahead, and counts
 * as over.
 */
export function isInFuture(until: number, now: number, longestMs: number): boolean {
  return until > now && until <= now + longestMs + clocksApartMs;
}
