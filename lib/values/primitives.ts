import * as v from 'valibot';

/** An object with the given properties; others are dropped. Unlike valibot's own schema, it refuses arrays. */
export function object<const TEntries extends v.ObjectEntries>(entries: TEntries): v.ObjectSchema<TEntries, undefined> {
  return withRefusal(v.object(entries), (value) => (Array.isArray(value) ? 'Array' : undefined));
}

/** Returns a part of the path that leads to a problem. */
export function pathItem(key: string): v.ObjectPathItem {
  return { type: 'object', origin: 'value', input: {}, key, value: undefined };
}

/** A map from text to `value`. Unlike valibot's own schema, it refuses arrays and the keys that valibot would silently drop. */
export function record<const TValue extends v.GenericSchema>(value: TValue) {
  return withRefusal(v.record(text, value), refuseAsMap);
}

/** A map with the given properties, which keeps others as they are. */
export function openObject<const TEntries extends v.ObjectEntries>(entries: TEntries) {
  return withRefusal(v.objectWithRest(entries, v.unknown()), (value) => {
    const isKnown = (key: string) => v.is(text, key);
    return (
      refuseAsMap(value) ?? (Object.keys(Object(value)).every(isKnown) ? undefined : 'one with a key that is no text')
    );
  });
}

/** Describes a value that is not a map; undefined for a map. */
function refuseAsMap(value: unknown): string | undefined {
  if (Array.isArray(value)) return 'Array';
  const reservedKey = ['__proto__', 'constructor', 'prototype'].find((key) => Object.hasOwn(Object(value), key));
  return reservedKey && `one with the key "${reservedKey}"`;
}

/** Returns a schema of objects, refusing those with a value for a property that it does not know; others are dropped. */
export function withoutProperty<TSchema extends v.GenericSchema>(schema: TSchema, key: string, message: string) {
  return {
    ...schema,
    '~run'(dataset, config) {
      const given = (dataset.value as Readonly<Record<string, unknown>> | null | undefined)?.[key];
      const result = schema['~run'](dataset, config);
      if (given === undefined || given === null) return result;
      v._addIssue(
        schema as never,
        'value',
        result as never,
        config as never,
        { message, path: [pathItem(key)] } as never,
      );
      return result;
    },
  } as TSchema;
}

/** Returns the schema, refusing the values of which `problemOf` describes a problem. */
function withRefusal<TSchema extends v.GenericSchema>(
  schema: TSchema,
  problemOf: (value: unknown) => string | undefined,
) {
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

/** Text that any store and any client can handle: without NUL and lone surrogates. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern excludes NUL.
export const textPattern = /^[^\u0000\ud800-\udfff]*$/u;

export const text = v.pipe(v.string(), v.regex(textPattern, 'Text must not contain NUL or lone surrogates.'));

export const nonEmptyText = v.pipe(text, v.minLength(1, 'Text must not be empty.'));

/** Decides in which forms a schema of text accepts it. */
export type TextForms = (schema: v.GenericSchema<string, string>) => v.GenericSchema<unknown, string>;

/** Accepts a number or a boolean instead of text, and converts it to text: scripts send `"rollout": 20`, which becomes "20". */
export const acceptScalars: TextForms = (schema) =>
  v.pipe(v.union([schema, v.pipe(v.number(), v.finite()), v.boolean()]), v.transform(String), schema);

/** Accepts only text. */
export const acceptTextOnly: TextForms = (schema) => schema;

export const lenientText = acceptScalars(text);

/** Text of a limited length. A character outside the basic plane counts as one, as in JSON Schema. */
export function textOfLength(min: number, max: number) {
  const pattern = new RegExp(`^[\\s\\S]{${min},${max}}$`, 'u');
  return v.pipe(
    text,
    v.check((value) => pattern.test(value), `Text of ${min} to ${max} characters is required.`),
    v.metadata({ minLength: min, maxLength: max }),
  );
}

/** Tells whether people can see a text. Some characters are invisible without being white space, such as U+200B and U+3164. */
export function isVisible(value: string): boolean {
  return /[^\s\p{C}\p{Default_Ignorable_Code_Point}\u2800]/u.test(value);
}

/** A name for people: any visible text, without white space around it. */
export function titleOfLength(max: number) {
  const rule = `Text of 1 to ${max} characters is required, which must not be blank.`;
  return v.pipe(
    text,
    v.regex(new RegExp(`^\\s*\\S(?:[\\s\\S]{0,${max - 2}}\\S)?\\s*$`, 'u'), rule),
    // The expression has refused white space alone.
    v.check((title) => title.trim() === '' || isVisible(title), rule),
    v.trim(),
  );
}

/** The rule for names, for error messages. */
export const nameRule = "A name has 1 to 100 characters of A-Z, a-z, 0-9 and _.!~*'()- and is not . or ..";

/** The name of a project, feature, variant, environment or context field. It needs no escapes in a URL. */
const namePattern = /^(?!\.{1,2}$)[A-Za-z0-9_.!~*'()-]{1,100}$/;
export const name = v.pipe(v.string(), v.regex(namePattern, nameRule));

/** Tells whether a value is a valid name. Things with other names do not exist and need not be read. */
export function isName(value: string): boolean {
  return namePattern.test(value);
}

export const boolean = v.boolean();

/** A boolean that may be sent as text. */
export const lenientBoolean = v.pipe(
  v.union([v.boolean(), v.picklist(['true', 'false'])]),
  v.transform((value) => String(value) === 'true'),
);

/** An integer that a double represents exactly; a larger id or count would silently change. */
const exact = v.pipe(v.number(), v.safeInteger('A whole number between -(2^53 - 1) and 2^53 - 1 is required.'));
export const id = v.pipe(exact, v.minValue(1));
export const count = v.pipe(exact, v.minValue(0));

/** Replaces -0, which is valid JSON, by 0. The store returns 0 for it, which would look like a change. */
export const noNegativeZero = v.transform((value: number) => (value === 0 ? 0 : value));
export const integer = v.pipe(exact, noNegativeZero);

/** A positive integer in a query string. */
export const positiveIntegerText = v.pipe(
  v.string(),
  v.regex(/^[1-9][0-9]{0,15}$/, 'A positive whole number is required.'),
  v.transform(Number),
  v.safeInteger(),
);

/** A numeric id in a path. */
export const idText = v.pipe(
  v.string(),
  v.regex(/^0*[1-9][0-9]{0,15}$/, 'An id is a positive whole number.'),
  v.transform(Number),
  v.safeInteger(),
);

/** A time in ISO 8601, in UTC with milliseconds, as `Date` writes it. */
export const timestamp = v.pipe(v.string(), v.isoTimestamp());

/** A time with any offset, with or without seconds. It is converted to UTC. */
export const moment = v.pipe(
  v.string(),
  v.isoTimestamp('A moment such as 2026-12-31T23:59:59Z is required.'),
  // Unlike a check, it is skipped after another problem: text that is no time has one problem, not two.
  v.rawTransform(({ dataset: { value: time }, addIssue, NEVER }) => {
    if (!Number.isNaN(Date.parse(time)) && isDay(time.slice(0, 10))) return new Date(time).toISOString();
    addIssue({ message: 'There is no such moment.' });
    return NEVER;
  }),
  // Other years need more digits: such times would be sorted wrongly, and clients could not read them.
  v.check((utc) => utc.length === 24, 'A moment is of the years 0 to 9999 in UTC.'),
);

/** Tells whether a day exists: `Date` reads 30 February as 2 March. */
function isDay(day: string): boolean {
  const at = Date.parse(day);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(day);
}
