import * as v from 'valibot';
import { boolean, id, object, text, timestamp } from '../values/primitives.ts';

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
