import * as v from 'valibot';
import { integer, object, text } from './primitives.ts';

/** A role as lists show it. */
export const role = object({
  id: integer,
  name: text,
  type: v.picklist(['root', 'project', 'root-custom', 'custom']),
  description: text,
  project: v.exactOptional(text),
});
export type Role = v.InferOutput<typeof role>;
