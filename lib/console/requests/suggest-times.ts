/** A time that people often choose, and its text. */
export interface SuggestedTime {
  readonly words: string;
  /** The suggested time, in milliseconds since 1970. */
  readonly time: number;
}

const hourMs = 60 * 60 * 1_000;
const morningHour = 9;

/** Suggests times for a schedule: in an hour, tomorrow morning, and the morning of next Monday unless that is tomorrow. */
export function suggestTimes(now: Date): SuggestedTime[] {
  const inAnHour = Math.ceil((now.getTime() + hourMs) / (5 * 60_000)) * 5 * 60_000;
  const tomorrow = atMorning(now, 1);
  const daysToMonday = (8 - now.getDay()) % 7 || 7;
  const monday = atMorning(now, daysToMonday);
  return [
    { words: 'In an hour', time: inAnHour },
    { words: 'Tomorrow 09:00', time: tomorrow },
    ...(monday === tomorrow ? [] : [{ words: 'Monday 09:00', time: monday }]),
  ];
}

function atMorning(now: Date, days: number): number {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, morningHour).getTime();
}
