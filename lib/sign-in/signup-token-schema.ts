import * as v from 'valibot';
import { role } from '../people/roles/role-schema.ts';
import { boolean, integer, object, text, timestamp } from '../values/primitives.ts';

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
