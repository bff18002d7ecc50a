import type { MilestoneView } from '../words/plans.ts';
import { describeMinutes } from '../words/times.ts';

/** The units of the time of a milestone, with their minutes. */
export const lengthUnits = { minutes: 1, hours: 60, days: 1_440 } as const;
export type LengthUnit = keyof typeof lengthUnits;

/** A time as a form holds it. */
export interface TypedLength {
  readonly count: string;
  readonly unit: LengthUnit;
}

const daysMax = 10_000;

/** The problem of a time that is none. */
export const noLength = 'A whole number from 1 on is needed, at most 10,000 days.';

/** Returns a number of minutes as a form holds it: in its largest whole unit. */
export function toTypedLength(minutes: number): TypedLength {
  const unit = (['days', 'hours'] as const).find((each) => minutes % lengthUnits[each] === 0) ?? 'minutes';
  return { count: String(minutes / lengthUnits[unit]), unit };
}

/** Returns the minutes of a typed time; undefined for one that is no time. */
export function toLengthMinutes({ count, unit }: TypedLength): number | undefined {
  const minutes = Number(count) * lengthUnits[unit];
  return /^[1-9]\d*$/.test(count) && minutes <= daysMax * lengthUnits.days ? minutes : undefined;
}

/** Returns the problem of a time for a milestone; undefined if it can have it. @param isActive true for the active one. */
export function findLengthProblem(
  typed: TypedLength,
  { startedAt }: Pick<MilestoneView, 'startedAt'>,
  isActive: boolean,
  now = Date.now(),
): string | undefined {
  const minutes = toLengthMinutes(typed);
  if (minutes === undefined) return noLength;
  const activeMs = isActive && startedAt !== undefined ? now - Date.parse(startedAt) : 0;
  if (activeMs < minutes * 60_000) return undefined;
  const hours = Math.floor(activeMs / 3_600_000);
  const length = describeMinutes(hours > 0 ? hours * 60 : Math.floor(activeMs / 60_000));
  return `It has been active for ${length} already, so the time must be longer.`;
}
