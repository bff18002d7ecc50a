import * as v from 'valibot';
import { boolean, count, id, name, object, text, timestamp } from '../../values/primitives.ts';

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

/** A member of a group. */
export const groupMember = object({
  joinedAt: timestamp,
  createdBy: text,
  user: account,
  /** Marks a member whom the directory has added by SCIM. While it manages the group, only it removes them. Missing for others. */
  provisioned: v.exactOptional(boolean),
});
export type ShownMember = v.InferOutput<typeof groupMember>;

/** A group, for everybody. */
export const userGroup = object({
  id,
  name: text,
  description: v.exactOptional(text),
  mappingsSSO: v.exactOptional(v.array(text)),
  rootRole: v.exactOptional(id),
  createdBy: text,
  createdAt: timestamp,
  users: v.exactOptional(v.array(groupMember)),
  projects: v.exactOptional(v.array(name)),
  userCount: count,
});
export type UserGroup = v.InferOutput<typeof userGroup>;
