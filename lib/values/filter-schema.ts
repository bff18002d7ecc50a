import * as v from 'valibot';
import { text } from './primitives.ts';

/** A text that is looked for in all that is listed. */
export const searchText = v.pipe(text, v.maxLength(1_000, 'At most 1,000 characters are looked for.'));

/** Texts that are looked for, with commas between. */
export const searchTexts = v.pipe(
  searchText,
  v.check((given) => given.split(',').length <= 50, 'At most 50 texts are looked for, with commas between them.'),
);

const valuesMax = 250;

/** A filter of a query in Unleash's language: an operator, a colon, and values with commas between. */
export function filter<const TOperators extends readonly string[], TSchema extends v.GenericSchema<string, string>>(
  operators: TOperators,
  value: TSchema,
  example: string,
) {
  const values = v.pipe(v.array(value), v.minLength(1));
  return v.pipe(
    text,
    v.transform((given) => {
      const colon = given.indexOf(':');
      const list = given.slice(colon + 1).split(',');
      return { operator: colon < 0 ? '' : given.slice(0, colon), values: list.map((each) => each.trim()) };
    }),
    v.check(({ values: list }) => list.length <= valuesMax, `At most ${valuesMax} values are looked for.`),
    v.check(
      ({ operator, values: list }) => operators.includes(operator) && v.is(values, list),
      `One of ${operators.join(', ')} is needed, then a colon and what is looked for, such as ${example}.`,
    ),
    v.transform((parsed) => parsed as { readonly operator: TOperators[number]; readonly values: readonly string[] }),
  );
}

export const anything = v.pipe(v.string(), v.minLength(1));
export const truth = v.picklist(['true', 'false']);
export const day = v.pipe(v.string(), v.isoDate());

export const wholeNumber = v.pipe(v.string(), v.regex(/^\d{1,9}$/, 'A whole number is required.'), v.transform(Number));

/** The operators of filters that only look for what is there. */
export const isAnyOf = ['IS', 'IS_ANY_OF'] as const;

export const digits = v.pipe(v.string(), v.regex(/^\d{1,16}$/));
