import * as v from 'valibot';
import { integer, object, text } from '../values/primitives.ts';

/** A token with which a program proposes changes for its owner. It can do nothing else. */
export const agent = object({
  /** The id of the token. */
  token: integer,
  /** The description of the token. */
  name: text,
  /** The program that used the token, as it calls itself. */
  client: v.exactOptional(text),
});
export type Agent = Readonly<v.InferOutput<typeof agent>>;
