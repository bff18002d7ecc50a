import * as v from 'valibot';
import {
  acceptScalars,
  boolean,
  count,
  integer,
  moment,
  object,
  text,
  timestamp,
  titleOfLength,
} from '../values/primitives.ts';

/** A user, for administrators. */
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
  /** Always empty: pictures are not looked up elsewhere, and the admin UI shows initials. */
  imageUrl: text,
  /** The id under which a directory manages the user by SCIM. */
  scimId: v.nullable(text),
  /** Tells that the directory has deactivated the user: they cannot sign in, and have no rights. It is missing for others. */
  deactivated: v.exactOptional(boolean),
  /** Always null. Unleash has these for customers of its hosted service. */
  seatType: v.nullable(text),
  companyRole: v.nullable(text),
  productUpdatesEmailConsent: v.nullable(boolean),
});
export type ShownUser = v.InferOutput<typeof user>;

/** A user after a change, with the root role as it was sent. */
export const changedUser = object({
  ...user.entries,
  rootRole: v.union([integer, text]),
  inviteLink: v.exactOptional(text),
  emailSent: v.exactOptional(boolean),
});

const patDescription = acceptScalars(titleOfLength(255));

const tokenScope = v.picklist(['propose']);

/** The input for a personal access token. */
export const patInput = object({ description: patDescription, expiresAt: moment, scope: v.exactOptional(tokenScope) });

export const pat = object({
  id: integer,
  description: text,
  userId: integer,
  createdAt: timestamp,
  /** 9999-12-31 for a token that does not expire. */
  expiresAt: timestamp,
  seenAt: v.nullable(timestamp),
  /** Set if the token may only propose changes; without it, the token has the permissions of its user. */
  scope: v.exactOptional(tokenScope),
});
export type Pat = v.InferOutput<typeof pat>;
