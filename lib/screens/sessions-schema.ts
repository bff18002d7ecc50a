import * as v from 'valibot';
import { boolean, object, timestamp } from '../values/primitives.ts';

/** The sessions of the reader, the newest first. */
export const consoleSessions = object({
  sessions: v.array(
    object({
      createdAt: timestamp,
      /** The time at which it ends unless it is used. */
      expiresAt: timestamp,
      /** True for the session of the request. */
      isCurrent: boolean,
    }),
  ),
});
export type ConsoleSessions = v.InferOutput<typeof consoleSessions>;
