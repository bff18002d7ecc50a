import * as v from 'valibot';

/**
 * An object with the given entries; other properties are ignored and dropped. Unlike valibot's own it refuses arrays.
 */
export function object<const TEntries extends v.ObjectEntries>(entries: TEntries): v.ObjectSchema<TEntries, undefined> {
  return refusing(v.object(entries), (value) => (Array.isArray(value) ? 'Array' : undefined));
}

/** Makes a step of the path to what is wrong. */
export function pathStep(key: string): v.ObjectPathItem {
  return { type: 'object', origin: 'value', input: {}, key, value: undefined };
}

/** A map of text to `value`. Unlike valibot's own it refuses arrays, and the keys that it would drop in silence. */
export function record<const TValue extends v.GenericSchema>(value: TValue) {
  return refusing(v.record(text, value), refusedAsMap);
}

/** An object with the given entries and others, which are kept as they are. What is no map of texts is none of these. */
export function openObject<const TEntries extends v.ObjectEntries>(entries: TEntries) {
  return refusing(v.objectWithRest(entries, v.unknown()), (sent) => {
    const isKnown = (key: string) => v.is(text, key);
    return (
      refusedAsMap(sent) ?? (Object.keys(Object(sent)).every(isKnown) ? undefined : 'one with a key that is no text')
    );
  });
}

function refusedAsMap(sent: unknown): string | undefined {
  if (Array.isArray(sent)) return 'Array';
  const dropped = ['__proto__', 'constructor', 'prototype'].find((key) => Object.hasOwn(Object(sent), key));
  return dropped && `one with the key "${dropped}"`;
}

/** Returns the schema with values refused for which `problemOf` returns a problem. */
function refusing<TSchema extends v.GenericSchema>(schema: TSchema, problemOf: (value: unknown) => string | undefined) {
  return {
    ...schema,
    '~run'(dataset, config) {
      const received = problemOf(dataset.value);
      if (received === undefined) return schema['~run'](dataset, config);
      v._addIssue(schema as never, 'type', dataset as never, config as never, { received } as never);
      return dataset;
    },
  } as TSchema;
}

/** The characters of a text that any store and any client can carry: no NUL, no half of a surrogate pair. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: NUL is what must not be there.
export const textPattern = /^[^\u0000\ud800-\udfff]*$/u;

export const text = v.pipe(v.string(), v.regex(textPattern, 'Text must not contain NUL or lone surrogates.'));

export const nonEmptyText = v.pipe(text, v.minLength(1, 'Text must not be empty.'));

/** The forms in which a schema of text takes it. */
export type TextForms = (schema: v.GenericSchema<string, string>) => v.GenericSchema<unknown, string>;

/**
 * Text that may be written as a number or as true or false, and is kept as text (20 as "20"): scripts write
 * `"rollout": 20`.
 */
export const written: TextForms = (schema) =>
  v.pipe(v.union([schema, v.pipe(v.number(), v.finite()), v.boolean()]), v.transform(String), schema);

/** Text that is nothing but text. */
export const plain: TextForms = (schema) => schema;

export const writtenText = written(text);

/** Text within limits of length; a character outside the basic plane counts as one, as in JSON Schema. */
export function textOfLength(min: number, max: number) {
  const pattern = new RegExp(`^[\\s\\S]{${min},${max}}$`, 'u');
  return v.pipe(
    text,
    v.check((sent) => pattern.test(sent), `Text of ${min} to ${max} characters is required.`),
    v.metadata({ minLength: min, maxLength: max }),
  );
}

/** Tells whether people can see a text. Some characters look like nothing without being white space, such as U+200B and U+3164. */
export function isVisible(value: string): boolean {
  return /[^\s\p{C}\p{Default_Ignorable_Code_Point}\u2800]/u.test(value);
}

/** A name for people: any visible text, without the white space around it. */
export function titleOfLength(max: number) {
  const rule = `Text of 1 to ${max} characters is required, which must not be blank.`;
  return v.pipe(
    text,
    v.regex(new RegExp(`^\\s*\\S(?:[\\s\\S]{0,${max - 2}}\\S)?\\s*$`, 'u'), rule),
    // White space alone was refused before.
    v.check((title) => title.trim() === '' || isVisible(title), rule),
    v.trim(),
  );
}

/** Rule for names, as shown to callers whose name is refused. */
export const nameRule = "A name has 1 to 100 characters of A-Z, a-z, 0-9 and _.!~*'()- and is not . or ..";

/** Projects, features, variants, environments and context fields: what stays as it is in a URL. */
export const name = v.pipe(v.string(), v.regex(/^(?!\.{1,2}$)[A-Za-z0-9_.!~*'()-]{1,100}$/, nameRule));

/** Tells whether a value is a valid name; a path with any other need not be looked up. */
export function isName(value: string): boolean {
  return v.is(name, value);
}

export const boolean = v.boolean();

/** A truth value that may be written as text. */
export const writtenBoolean = v.pipe(
  v.union([v.boolean(), v.picklist(['true', 'false'])]),
  v.transform((sent) => String(sent) === 'true'),
);

/** Integer that a double represents exactly: ids, counts and positions beyond that would silently change. */
const exact = v.pipe(v.number(), v.safeInteger('A whole number between -(2^53 - 1) and 2^53 - 1 is required.'));
export const id = v.pipe(exact, v.minValue(1));
export const count = v.pipe(exact, v.minValue(0));

/** JSON knows -0, but it is stored as 0: what is the same to everybody must not look like a change. */
export const zeroWithoutSign = v.transform((value: number) => (value === 0 ? 0 : value));
export const integer = v.pipe(exact, zeroWithoutSign);

/** A positive whole number in a query, where everything is text. */
export const positiveIntegerText = v.pipe(
  v.string(),
  v.regex(/^[1-9][0-9]{0,15}$/, 'A positive whole number is required.'),
  v.transform(Number),
  v.safeInteger(),
);

/** The id of something in a path, where everything is text. */
export const idText = v.pipe(
  v.string(),
  v.regex(/^0*[1-9][0-9]{0,15}$/, 'An id is a positive whole number.'),
  v.transform(Number),
  v.safeInteger(),
);

/** ISO 8601 in UTC with milliseconds, as Date writes it. */
export const timestamp = v.pipe(v.string(), v.isoTimestamp());

/** Moment as people and tools write it: with any offset, and with or without seconds. It is stored in UTC. */
export const moment = v.pipe(
  v.string(),
  v.isoTimestamp('A moment such as 2026-12-31T23:59:59Z is required.'),
  v.check((sent) => !Number.isNaN(Date.parse(sent)) && isDay(sent.slice(0, 10)), 'There is no such moment.'),
  v.transform((sent) => new Date(sent).toISOString()),
  // A year before 0 or after 9999 takes more digits, which neither sort among others nor are what clients read.
  v.check((utc) => utc.length === 24, 'A moment is of the years 0 to 9999 in UTC.'),
);

/** Tells whether a day exists. `Date` reads the 30th of February as the 2nd of March. */
function isDay(day: string): boolean {
  const at = Date.parse(day);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(day);
}
