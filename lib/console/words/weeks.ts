/** The ranges of time of trends, in weeks. */
export const weekRanges = [
  [13, '3 months'],
  [26, '6 months'],
  [52, '1 year'],
  [104, '2 years'],
] as const;

const dayMs = 24 * 60 * 60 * 1_000;

/** Returns the day some weeks ago, in UTC, as in `2026-02-15`. */
export function firstDayOf(weeks: number, now = Date.now()): string {
  return new Date(now - weeks * 7 * dayMs).toISOString().slice(0, 10);
}

/** Writes the Monday and the Sunday of a week: "9 – 15 Feb 2026". @param sunday its Sunday in UTC, in seconds since 1970. */
export function describeWeek(sunday: number): string {
  return describeDays(sunday, { year: 'numeric' });
}

/** The longest chart whose weeks are named by their days, in weeks. */
const weeksByDays = 13;

/**
 * Returns the function that describes weeks below a chart: by their days, or by their month if there are many.
 * @param start the first Sunday, in seconds since 1970.
 * @param end the last one.
 */
export function chooseWeekWords(start: number, end: number): (time: number) => string {
  if (start === end) return describeWeek;
  return (end - start) * 1_000 > weeksByDays * 7 * dayMs ? describeMonth : describeDays;
}

/** Writes the days of the week that a time belongs to: "9 – 15 Feb". */
function describeDays(time: number, withYear: { readonly year?: 'numeric' } = {}): string {
  const daysLeft = (7 - new Date(time * 1_000).getUTCDay()) % 7;
  const last = new Date(time * 1_000 + daysLeft * dayMs);
  const first = new Date(last.getTime() - 6 * dayMs);
  const day = { day: 'numeric', month: 'short', timeZone: 'UTC' } as const;
  const isOneMonth = first.getUTCMonth() === last.getUTCMonth();
  const begin = isOneMonth ? String(first.getUTCDate()) : first.toLocaleDateString('en-GB', day);
  return `${begin} – ${last.toLocaleDateString('en-GB', { ...day, ...withYear })}`;
}

function describeMonth(time: number): string {
  return new Date(time * 1_000).toLocaleDateString('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' });
}
