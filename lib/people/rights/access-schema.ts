import * as v from 'valibot';
import { count, id, name, object, text, timestamp } from '../../values/primitives.ts';

/** A user or a service account, for everybody. */
export const account = object({
  id,
  name: v.exactOptional(text),
  username: v.exactOptional(text),
  email: v.exactOptional(text),
  rootRole: id,
  createdAt: timestamp,
  /** Time of the last sign-in, only for callers who may give access. */
  seenAt: v.exactOptional(timestamp),
  accountType: v.picklist(['User', 'Service Account']),
});
export type ShownAccount = v.InferOutput<typeof account>;

/** A group, for everybody. */
export const userGroup = object({
  id,
  name: text,
  description: v.exactOptional(text),
  mappingsSSO: v.exactOptional(v.array(text)),
  rootRole: v.exactOptional(id),
  createdBy: text,
  createdAt: timestamp,
  users: v.exactOptional(v.array(object({ joinedAt: timestamp, createdBy: text, user: account }))),
  projects: v.exactOptional(v.array(name)),
  userCount: count,
});
export type UserGroup = v.InferOutput<typeof userGroup>;
