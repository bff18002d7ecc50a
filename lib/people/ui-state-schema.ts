import * as v from 'valibot';
import { boolean, integer, moment, object, textOfLength, timestamp } from '../values/primitives.ts';

/** The ids that an admin UI has for its questions and screens. */
export const uiId = textOfLength(1, 255);

export const feedbackChange = object({
  neverShow: v.optional(boolean, false),
  /** Time of the answer; missing for now. */
  given: v.exactOptional(v.nullable(moment)),
});
export const feedbackInput = object({ feedbackId: uiId, neverShow: v.optional(boolean, false) });

export const feedback = object({
  feedbackId: uiId,
  userId: integer,
  neverShow: boolean,
  given: v.nullable(timestamp),
});

export const splash = object({ splashId: uiId, userId: integer, seen: boolean });
