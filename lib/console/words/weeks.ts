/** The ranges of time of trends, in weeks. */
export const weekRanges = [
  [13, '3 months'],
  [26, '6 months'],
  [52, '1 year'],
  [104, '2 years'],
] as const;

const dayMs = 24 * 60 * 60 * 1_000;

/** Returns the day so many weeks ago, in UTC, as in `2026-02-15`. */
export function firstDayOf(weeks: number, now = Date.now()): string {
  return new Date(now - weeks * 7 * dayMs).toISOString().slice(0, 10);
}

/** Writes the Monday and the Sunday of a week: "9 – 15 Feb 2026". @param sunday its Sunday in UTC, in seconds since 1970. */
export function describeWeek(sunday: number): string {
  const [first, last] = [new Date(sunday * 1_000 - 6 * dayMs), new Date(sunday * 1_000)];
  const day = { day: 'numeric', month: 'short', timeZone: 'UTC' } as const;
  const isOneMonth = first.getUTCMonth() === last.getUTCMonth();
  const begin = isOneMonth ? String(first.getUTCDate()) : first.toLocaleDateString('en-GB', day);
  return `${begin} – ${last.toLocaleDateString('en-GB', { ...day, year: 'numeric' })}`;
}

/** Writes the month of a week below a chart: "Feb 2026". @param sunday its Sunday in UTC, in seconds since 1970. */
export function describeWeekShortly(sunday: number): string {
  return new Date(sunday * 1_000).toLocaleDateString('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' });
}
