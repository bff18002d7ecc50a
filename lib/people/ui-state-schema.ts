import * as v from 'valibot';
import { boolean, integer, moment, object, textOfLength, timestamp } from '../values/primitives.ts';

/** The id of a question or splash screen of the admin UI, which must fit a key of the store. */
export const uiId = textOfLength(1, 250);

export const feedbackChange = object({
  neverShow: v.optional(boolean, false),
  /** Omitted for now. */
  given: v.exactOptional(v.nullable(moment)),
});
export const feedbackInput = object({ feedbackId: uiId, neverShow: v.optional(boolean, false) });

/** The answer of a user to a question of the admin UI, or their wish not to be asked again. */
export const feedback = object({
  feedbackId: uiId,
  userId: integer,
  neverShow: boolean,
  given: v.nullable(timestamp),
});
export type Feedback = v.InferOutput<typeof feedback>;

/** A splash screen of the admin UI that a user has seen. */
export const splash = object({ splashId: uiId, userId: integer, seen: boolean });
export type Splash = v.InferOutput<typeof splash>;
