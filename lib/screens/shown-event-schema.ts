import * as v from 'valibot';
import { event } from '../events/event-schema.ts';
import { id, name, object, text } from '../values/primitives.ts';

/** An event with the display name of its author. */
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
  /** The change request that the event belongs to. */
  changeRequest: v.exactOptional(
    object({
      id,
      project: name,
      /** The name of the person who asked for it. */
      author: text,
      /** The names of those whose approvals count. */
      approvedBy: v.array(text),
      /** The reason of an override. */
      override: v.exactOptional(text),
    }),
  ),
});
export type ShownEvent = v.InferOutput<typeof shownEvent>;
