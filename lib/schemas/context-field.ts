import * as v from 'valibot';
import { boolean, integer, name, object, text } from './primitives.ts';

/** A context field as it is imported or seeded. */
export const contextField = object({
  name,
  description: v.exactOptional(v.nullable(text)),
  stickiness: v.exactOptional(boolean),
  sortOrder: v.exactOptional(integer),
  legalValues: v.exactOptional(v.array(object({ value: text, description: v.exactOptional(text) }))),
});
export type ContextField = v.InferOutput<typeof contextField>;
