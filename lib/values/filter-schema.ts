import * as v from 'valibot';
import { text } from './primitives.ts';

/** A text to search for in a list. */
export const searchText = v.pipe(text, v.maxLength(1_000, 'A search has at most 1,000 characters.'));

/** Texts to search for, separated by commas. */
export const searchTexts = v.pipe(
  searchText,
  v.check((query) => query.split(',').length <= 50, 'A search has at most 50 texts, separated by commas.'),
);

const valuesMax = 250;

/** A filter in Unleash's query language: an operator, a colon, and values separated by commas, such as `IS_ANY_OF:a,b`. */
export function filter<const TOperators extends readonly string[], TSchema extends v.GenericSchema<string, string>>(
  operators: TOperators,
  value: TSchema,
  example: string,
) {
  const values = v.pipe(v.array(value), v.minLength(1));
  return v.pipe(
    text,
    v.transform((query) => {
      const colon = query.indexOf(':');
      const list = query.slice(colon + 1).split(',');
      return { operator: colon < 0 ? '' : query.slice(0, colon), values: list.map((item) => item.trim()) };
    }),
    v.check(({ values: list }) => list.length <= valuesMax, `A filter has at most ${valuesMax} values.`),
    v.check(
      ({ operator, values: list }) => operators.includes(operator) && v.is(values, list),
      `A filter is one of ${operators.join(', ')}, a colon and the values to find, such as ${example}.`,
    ),
    v.transform((parsed) => parsed as { readonly operator: TOperators[number]; readonly values: readonly string[] }),
  );
}

export const anyText = v.pipe(v.string(), v.minLength(1));
export const booleanText = v.picklist(['true', 'false']);
export const dateText = v.pipe(v.string(), v.isoDate('A date such as 2026-12-31 is required.'));

export const wholeNumberText = v.pipe(
  v.string(),
  v.regex(/^\d{1,9}$/, 'A whole number is required.'),
  v.transform(Number),
);

/** The operators of a filter that can only include values. */
export const anyOfOperators = ['IS', 'IS_ANY_OF'] as const;

export const digits = v.pipe(v.string(), v.regex(/^\d{1,16}$/));
