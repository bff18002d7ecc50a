const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/**
 * Returns the time at which somebody who names none begins to look at the past of a flag, in milliseconds since 1970: a day ago, when
 * something may have been different.
 * @param now milliseconds since 1970.
 */
export function suggestPastTime(createdAt: string, now: number): number {
  // A field for a time has no seconds, so that the minute of the creation may begin before it.
  return Math.min(now, Math.max(now - dayMs, Date.parse(createdAt) + minuteMs));
}
