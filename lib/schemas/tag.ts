import * as v from 'valibot';
import { name, object, text, textOfLength } from './primitives.ts';

export const tagValue = textOfLength(2, 50);
/** Tag types are named like everything else, with 2 to 50 characters. */
const tagTypeName = v.pipe(name, v.minLength(2), v.maxLength(50));

/** How many tags a feature has at most: all of them stand beside the events of each of its changes. */
export const tagsMax = 300;

/** A tag as it is sent: its type is `simple` where it is not named. */
export const tagInput = object({ value: tagValue, type: v.optional(tagTypeName, 'simple') });

/** A tag as it is answered and stored. */
export const tag = object({ value: tagValue, type: tagTypeName });
export type Tag = v.InferOutput<typeof tag>;

export const tagType = object({
  name: tagTypeName,
  description: v.exactOptional(v.nullable(text)),
  icon: v.exactOptional(v.nullable(text)),
});
export type TagType = v.InferOutput<typeof tagType>;
