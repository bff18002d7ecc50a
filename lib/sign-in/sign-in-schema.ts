import * as v from 'valibot';
import { role } from '../people/roles/role-schema.ts';
import { boolean, id, idText, integer, object, text, textOfLength, timestamp } from '../values/primitives.ts';

/** A password. Longer ones break the rules anyway, and must not make the service hash megabytes. */
export const passwordText = textOfLength(0, 1000);

/** A password in a form. Administrators who set the password of another user need no old one. */
export const newPassword = object({
  password: passwordText,
  confirmPassword: v.exactOptional(text),
  oldPassword: v.exactOptional(text),
});

/** The settings of password sign-in; `disabled` turns it off. */
export const simpleSettings = object({ disabled: v.exactOptional(boolean) });
export type SimpleSettings = v.InferOutput<typeof simpleSettings>;

/** A sign-in or a failed attempt, with Unleash's names. */
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

/** An access request in replies: a person without an account signed on. */
const accessRequest = object({ id, email: text, requestedAt: timestamp });

/** The access requests in a list. */
export const accessRequestList = object({ userAccessRequests: v.array(accessRequest) });

/** The path parameters of an access request. */
export const accessRequestPath = object({ id: idText });

/** A link with which people sign up. */
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
