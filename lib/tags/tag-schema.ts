import * as v from 'valibot';
import { acceptScalars, lenientText, name, object, text, textOfLength } from '../values/primitives.ts';

const tagValue = textOfLength(2, 50);
/** Tag types are named like everything else, with 2 to 50 characters. */
const tagTypeName = v.pipe(name, v.minLength(2), v.maxLength(50));

/** Limit of tags of a feature: all of them are stored with the events of each of its changes. */
export const tagsMax = 300;

/** Value of a tag in requests. */
export const tagValueInput = acceptScalars(tagValue);

/** Tag in requests; the default type is `simple`. */
export const tagInput = object({ value: tagValueInput, type: v.optional(tagTypeName, 'simple') });

/** Tag in the store and in replies. */
export const tag = object({ value: tagValue, type: tagTypeName });
export type Tag = v.InferOutput<typeof tag>;

/** A tag in a query: what comes before the first colon is its type. */
export const tagInQuery = v.pipe(
  text,
  v.regex(/^[^:]+:./, 'A tag is asked for as "type:value".'),
  v.transform((sent): [type: string, value: string] => {
    const colon = sent.indexOf(':');
    return [sent.slice(0, colon), sent.slice(colon + 1)];
  }),
);

/** A tag that is made known before a feature has it; what surrounds its value is left out. */
export const newTag = object({ value: acceptScalars(v.pipe(text, v.trim(), tagValue)), type: tagTypeName });

const color = v.nullable(v.pipe(v.string(), v.regex(/^#[0-9A-Fa-f]{6}$/, 'A color is # and six hexadecimal digits.')));

/** A tag with the color of its type. */
export const coloredTag = object({ ...tag.entries, color });
export type ColoredTag = v.InferOutput<typeof coloredTag>;

const tags = v.pipe(v.array(object({ value: tagValueInput, type: tagTypeName })), v.maxLength(tagsMax));

/** The tags that features receive and lose; one that is in both lists is lost. */
export const tagChange = object({ addedTags: tags, removedTags: tags });

/** The tags that several features receive and lose. */
export const tagsOfMany = object({ features: v.array(text), tags: tagChange });
export type TagsOfMany = v.InferOutput<typeof tagsOfMany>;

/** Tags in replies to lists. */
export const tagList = object({ version: v.literal(1), tags: v.array(coloredTag) });

/** Single tag in replies. */
export const tagAnswer = object({ version: v.literal(1), tag: coloredTag });

/** Update of a tag type; fields that are left out keep their values. */
export const tagTypeUpdate = object({
  description: v.exactOptional(v.nullable(lenientText)),
  icon: v.exactOptional(v.nullable(lenientText)),
  color: v.exactOptional(color),
});
export type TagTypeUpdate = v.InferOutput<typeof tagTypeUpdate>;

/** Tag type in requests. */
export const tagTypeInput = object({ name: tagTypeName, ...tagTypeUpdate.entries });
export type TagTypeInput = v.InferOutput<typeof tagTypeInput>;

/** A kind of tag, e.g. the team that looks after a feature, in the store and in replies. */
export const tagType = object({ name: tagTypeName, description: text, icon: v.nullable(text), color });
export type TagType = v.InferOutput<typeof tagType>;
