import * as v from 'valibot';
import {
  acceptScalars,
  boolean,
  count,
  integer,
  object,
  text,
  timestamp,
  titleOfLength,
} from '../values/primitives.ts';

/** A user as administrators see them. */
export const user = object({
  id: integer,
  accountType: v.picklist(['User', 'Service Account']),
  name: v.exactOptional(text),
  username: v.exactOptional(text),
  email: v.exactOptional(text),
  /** Time of the last sign-in. */
  seenAt: v.nullable(timestamp),
  loginAttempts: count,
  createdAt: timestamp,
  rootRole: integer,
  /** Picture of the user. None is looked up elsewhere: without one, pages show the beginning of the name. */
  imageUrl: text,
  /** Fields that Unleash keeps about customers of its hosted service; always null here. */
  scimId: v.nullable(text),
  seatType: v.nullable(text),
  companyRole: v.nullable(text),
  productUpdatesEmailConsent: v.nullable(boolean),
});
export type ShownUser = v.InferOutput<typeof user>;

/** The same after a change: its role as it was sent. */
export const changedUser = object({
  ...user.entries,
  rootRole: v.union([integer, text]),
  inviteLink: v.exactOptional(text),
  emailSent: v.exactOptional(boolean),
});

/** Purpose of a personal access token. */
export const patDescription = acceptScalars(titleOfLength(255));

export const pat = object({
  id: integer,
  description: text,
  userId: integer,
  createdAt: timestamp,
  /** The end of time for one that does not expire. */
  expiresAt: timestamp,
  seenAt: v.nullable(timestamp),
});
export type Pat = v.InferOutput<typeof pat>;
