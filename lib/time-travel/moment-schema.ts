import * as v from 'valibot';
import { moment as time } from '../values/primitives.ts';

/** A moment in the history of a feature: a time, or the state right before or after the change of an event. */
export type PointInTime = { readonly time: string } | { readonly before: number } | { readonly after: number };

/** The most by which the clock of a client may be ahead, in milliseconds. */
const clockLeadMax = 10_000;

const isPast = (utc: string) => Date.parse(utc) <= Date.now() + clockLeadMax;
const inFuture = 'This moment is in the future.';

/** A time that is not in the future. One up to ten seconds ahead counts as now, since the clocks of clients differ a little from ours. */
export const pastTime = v.pipe(time, v.check(isPast, inFuture));

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
  v.transform((utc) => ({ time: utc })),
  // After the transformation, since the union hides the problems of a member that was not transformed.
  v.check((point) => isPast(point.time), inFuture),
);

/** A moment in a query: a time that is not in the future (as `pastTime`), or `before:123` or `after:123` with the id of an event. */
export const momentText = v.union(
  [eventMoment, timeMoment],
  'A moment is a time such as 2026-12-31T23:59:59Z, or before:123 or after:123 with the id of an event.',
);
