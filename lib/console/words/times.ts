import { countOf } from './numbers.ts';

/** Writes how long ago a time is, or how far ahead: "10 min ago", "in 2 h". @param now milliseconds since 1970. */
export function describeAge(time: string | number, now = Date.now()): string {
  const seconds = (new Date(time).getTime() - now) / 1_000;
  const age = Math.abs(seconds);
  if (age < 45) return 'just now';
  const text = describeSpan(age);
  return seconds > 0 ? `in ${text}` : `${text} ago`;
}

/** Writes a span of time shortly, rounded to its largest unit: "10 min", "1 day". @param seconds at least 0. */
export function describeSpan(seconds: number): string {
  if (seconds < 3_570) return `${Math.max(1, Math.round(seconds / 60))} min`;
  if (seconds < 84_600) return `${Math.round(seconds / 3_600)} h`;
  const days = Math.round(seconds / 86_400);
  if (days < 60) return days === 1 ? '1 day' : `${days} days`;
  return `${Math.round(days / 30.44)} months`;
}

/** Writes a number of minutes exactly, in its largest whole unit: "90 minutes", "2 hours", "1 day". */
export function describeMinutes(minutes: number): string {
  if (minutes % 1_440 === 0) return countOf(minutes / 1_440, 'day');
  return minutes % 60 === 0 ? countOf(minutes / 60, 'hour') : countOf(minutes, 'minute');
}

/** Writes the day of a time: "Today", "Yesterday", or the date. @param now milliseconds since 1970. */
export function describeDay(time: string, now = Date.now()): string {
  const dayOf = (value: string | number) => new Date(value).toDateString();
  if (dayOf(time) === dayOf(now)) return 'Today';
  if (dayOf(time) === dayOf(now - 24 * 60 * 60 * 1_000)) return 'Yesterday';
  return new Date(time).toLocaleDateString('en', { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
}

/** Returns a time as a field for date and time holds it, in the zone of the browser: `2026-12-01T09:00`. */
export function toLocalTime(time: string | number): string {
  const date = new Date(time);
  const pad = (value: number) => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
  return `${day}T${pad(date.getHours())}:${pad(date.getMinutes())}`;
}

/** Returns the time that a field for date and time holds, as the API takes it; undefined for an incomplete one. */
export function fromLocalTime(text: string): string | undefined {
  const milliseconds = new Date(text).getTime();
  return text === '' || Number.isNaN(milliseconds) ? undefined : new Date(milliseconds).toISOString();
}

/** Writes a time with its day, in the zone of the browser: "Tue, 1 Dec, 09:00"; with the year unless it is this year. @param now milliseconds since 1970. */
export function describeTime(time: string | number, now = Date.now()): string {
  const date = new Date(time);
  return date.toLocaleString('en-GB', {
    ...{ weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
    ...(date.getFullYear() !== new Date(now).getFullYear() && { year: 'numeric' as const }),
  });
}
