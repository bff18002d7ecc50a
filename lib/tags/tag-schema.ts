import * as v from 'valibot';
import { acceptScalars, lenientText, name, object, text, textOfLength } from '../values/primitives.ts';

const tagValue = textOfLength(2, 50);
/** Tag types are named like everything else, with 2 to 50 characters. */
const tagTypeName = v.pipe(name, v.minLength(2), v.maxLength(50));

/** The most tags of one feature. The events of each change of a feature are stored with all of its tags. */
export const tagsMax = 300;

/** Value of a tag in requests. */
export const tagValueInput = acceptScalars(tagValue);

/** Tag in requests; the default type is `simple`. */
export const tagInput = object({ value: tagValueInput, type: v.optional(tagTypeName, 'simple') });

/** Tag in the store and in replies. */
export const tag = object({ value: tagValue, type: tagTypeName });
export type Tag = v.InferOutput<typeof tag>;

/** A tag in a query, as `type:value`. The value may contain further colons. */
export const tagInQuery = v.pipe(
  text,
  v.regex(/^[^:]+:./, 'A tag has the form "type:value".'),
  v.transform((sent): [type: string, value: string] => {
    const colon = sent.indexOf(':');
    return [sent.slice(0, colon), sent.slice(colon + 1)];
  }),
);

/** A new tag without a feature. Its value is trimmed. */
export const newTag = object({ value: acceptScalars(v.pipe(text, v.trim(), tagValue)), type: tagTypeName });

const color = v.nullable(v.pipe(v.string(), v.regex(/^#[0-9A-Fa-f]{6}$/, 'A color is # and six hexadecimal digits.')));

/** A tag with the color of its type. */
export const coloredTag = object({ ...tag.entries, color });
export type ColoredTag = v.InferOutput<typeof coloredTag>;

const tags = v.pipe(v.array(object({ value: tagValueInput, type: tagTypeName })), v.maxLength(tagsMax));

/** Tags to add to features and to remove from them. A tag in both lists is removed. */
export const tagChange = object({ addedTags: tags, removedTags: tags });

/** The body of a bulk change of tags. */
export const tagsOfFeatures = object({ features: v.array(text), tags: tagChange });
export type TagsOfFeatures = v.InferOutput<typeof tagsOfFeatures>;

/** Tags in replies to lists. */
export const tagList = object({ version: v.literal(1), tags: v.array(coloredTag) });

/** Single tag in replies. */
export const tagReply = object({ version: v.literal(1), tag: coloredTag });

/** Update of a tag type; omitted fields keep their values. */
export const tagTypeUpdate = object({
  description: v.exactOptional(v.nullable(lenientText)),
  icon: v.exactOptional(v.nullable(lenientText)),
  color: v.exactOptional(color),
});
export type TagTypeUpdate = v.InferOutput<typeof tagTypeUpdate>;

/** Tag type in requests. */
export const tagTypeInput = object({ name: tagTypeName, ...tagTypeUpdate.entries });
export type TagTypeInput = v.InferOutput<typeof tagTypeInput>;

/** A kind of tag, such as the responsible team, in the store and in replies. */
export const tagType = object({ name: tagTypeName, description: text, icon: v.nullable(text), color });
export type TagType = v.InferOutput<typeof tagType>;
