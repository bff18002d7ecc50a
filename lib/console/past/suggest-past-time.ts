const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/**
 * Suggests the moment with which time travel of a flag begins, in milliseconds since 1970: a day ago, or the minute after the flag was
 * created.
 * @param now milliseconds since 1970.
 */
export function suggestPastTime(createdAt: string, now: number): number {
  // A field for a time has no seconds, so that the minute of the creation may begin before it.
  return Math.min(now, Math.max(now - dayMs, Date.parse(createdAt) + minuteMs));
}
