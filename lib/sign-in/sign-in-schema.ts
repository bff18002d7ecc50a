import * as v from 'valibot';
import { role } from '../people/roles/role-schema.ts';
import { boolean, id, idText, integer, object, text, textOfLength, timestamp } from '../values/primitives.ts';

/** Text of a password. Longer ones break the rules anyway, and nobody shall make the service hash megabytes. */
export const passwordText = textOfLength(0, 1000);

/** A password as forms send it. An administrator who sets the password of another user needs no old one. */
export const newPassword = object({
  password: passwordText,
  confirmPassword: v.exactOptional(text),
  oldPassword: v.exactOptional(text),
});

/** Settings of sign-in with passwords; `disabled` switches it off. */
export const simpleSettings = object({ disabled: v.exactOptional(boolean) });
export type SimpleSettings = v.InferOutput<typeof simpleSettings>;

/** A sign-in or an attempt, with Unleash's names. */
export const loginEvent = object({
  id,
  username: text,
  auth_type: v.picklist(['simple', 'saml', 'oidc']),
  created_at: timestamp,
  successful: boolean,
  ip: v.nullable(text),
  failure_reason: v.nullable(text),
});
export type LoginEvent = v.InferOutput<typeof loginEvent>;

/** Access request in replies: somebody without an account has signed on. */
const accessRequest = object({ id, email: text, requestedAt: timestamp });

/** Access requests in replies to lists. */
export const accessRequestList = object({ userAccessRequests: v.array(accessRequest) });

/** The path of an access request. */
export const accessRequestPath = object({ id: idText });

/** A link by which people add themselves. */
export const signupToken = object({
  secret: text,
  url: text,
  name: text,
  expiresAt: timestamp,
  createdAt: timestamp,
  createdBy: text,
  enabled: boolean,
  users: v.array(object({ id: integer, name: v.exactOptional(text), username: v.exactOptional(text) })),
  role,
});
export type SignupToken = v.InferOutput<typeof signupToken>;
