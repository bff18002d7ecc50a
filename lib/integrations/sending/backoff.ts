const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** The time after its change for which an event is tried. */
export const retryMs = 72 * hourMs;

/** The time that an event has at least where others of its feature failed before it, and the age at which it ends. */
export const turnMs = 2 * hourMs;
export const retryAtMostMs = 96 * hourMs;

/** The longest pause between two attempts of an event, and between two trial requests to a receiver. */
export const attemptPauseMaxMs = hourMs;
export const trialPauseMaxMs = 15 * minuteMs;

/** The longest pause that a receiver may ask for. */
export const retryAfterMaxMs = 24 * hourMs;

/** The pause after a request without an answer: each one takes 15 seconds. */
export const silenceMs = minuteMs;

/** The pause before the one further attempt that follows a lost connection at once. */
export const repeatMs = 1_000;

/** The most by which clocks are trusted to differ. */
export const clocksApartMs = 10 * minuteMs;

/** Returns the milliseconds to wait after so many failures in a row: 1, 2, 4 … minutes, up to the longest pause. */
export function backoffOf(failures: number, longestMs: number): number {
  return Math.min(2 ** (failures - 1) * minuteMs, longestMs);
}

/**
 * Tells whether a pause lasts until a time that is still to come. A longer pause than there can be was set by a clock that was
 * ahead, and has ended.
 */
export function isStillToCome(until: number, now: number, longestMs: number): boolean {
  return until > now && until <= now + longestMs + clocksApartMs;
}
