const dayMs = 86_400_000;
const weekMs = 7 * dayMs;

/** A week of ISO 8601 in UTC: it begins on Monday, and belongs to the year of its Thursday. */
export interface IsoWeek {
  /** The year and the number of the week, as in `2026-07`. Names sort by time. */
  readonly name: string;
  /** The first moment, in milliseconds since 1970. */
  readonly start: number;
  /** The first moment after it, in milliseconds since 1970. */
  readonly end: number;
  /** The Sunday, as in `2026-02-15`. */
  readonly lastDay: string;
}

/** Returns the week of a moment in milliseconds since 1970. */
export function isoWeekOf(at: number): IsoWeek {
  const day = Math.floor(at / dayMs);
  // The first day of 1970 was a Thursday.
  const start = (day - ((((day + 3) % 7) + 7) % 7)) * dayMs;
  const year = new Date(start + 3 * dayMs).getUTCFullYear();
  const number = Math.floor((start + 3 * dayMs - Date.UTC(year, 0, 1)) / weekMs) + 1;
  return {
    name: `${year}-${String(number).padStart(2, '0')}`,
    start,
    end: start + weekMs,
    lastDay: new Date(start + 6 * dayMs).toISOString().slice(0, 'yyyy-MM-dd'.length),
  };
}

/** Returns the week after a week. */
export function isoWeekAfter({ end }: IsoWeek): IsoWeek {
  return isoWeekOf(end);
}
