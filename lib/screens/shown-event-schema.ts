import * as v from 'valibot';
import { event } from '../events/event-schema.ts';
import { object, text } from '../values/primitives.ts';

/** An event with the name of its author as colleagues call them. */
export const shownEvent = object({
  ...v.pick(v.object(event.entries), [
    'id',
    'createdAt',
    'type',
    'environment',
    'project',
    'featureName',
    'data',
    'preData',
  ]).entries,
  author: text,
});
export type ShownEvent = v.InferOutput<typeof shownEvent>;
