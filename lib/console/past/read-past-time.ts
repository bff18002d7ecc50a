import { fromLocalTime } from '../words/times.ts';

/** A moment, or what is wrong with the text of its field. An incomplete text has neither. */
interface PastTime {
  readonly moment?: string;
  readonly problem?: string;
}

/** Reads a time that somebody typed. Browsers know the latest one, but let people type a later one. @param now milliseconds since 1970. */
export function readPastTime(text: string, now: number): PastTime {
  const moment = fromLocalTime(text);
  if (moment === undefined) return {};
  return Date.parse(moment) > now ? { problem: 'Choose a time in the past.' } : { moment };
}
