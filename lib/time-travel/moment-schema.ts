import * as v from 'valibot';
import { moment as time } from '../values/primitives.ts';

/** A moment in the history of a feature: a time, or the state right before or after the change of an event. */
export type PointInTime = { readonly time: string } | { readonly before: number } | { readonly after: number };

const eventMoment = v.pipe(
  v.string(),
  v.regex(/^(?:before|after):[1-9]\d{0,14}$/),
  v.transform((text): PointInTime => {
    const [side, id] = text.split(':');
    return side === 'before' ? { before: Number(id) } : { after: Number(id) };
  }),
);

const timeMoment = v.pipe(
  time,
  v.transform((utc): PointInTime => ({ time: utc })),
);

/** A moment in a query: `2026-11-29T12:00:00Z`, `before:123` or `after:123` with the id of an event. */
export const momentText = v.union(
  [eventMoment, timeMoment],
  'A moment is a time such as 2026-12-31T23:59:59Z, or before:123 or after:123 with the id of an event.',
);
