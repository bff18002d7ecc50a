import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { anyOfOperators, anyText, digits, filter, searchTexts } from '../../../lib/values/filter-schema.ts';

const numbers = filter(anyOfOperators, digits, 'IS:17');
const problemsOf = (query: string) => v.safeParse(numbers, query).issues?.map(({ message }) => message);

describe('A filter', () => {
  test('has an operator, a colon and values, whose spaces at the ends do not count', () => {
    expect(v.parse(numbers, 'IS_ANY_OF: 1, 22 ')).toEqual({ operator: 'IS_ANY_OF', values: ['1', '22'] });
    expect(v.parse(filter(['IS'], anyText, 'IS:a'), 'IS:a:b')).toEqual({ operator: 'IS', values: ['a:b'] });
  });

  test.each(['17', '', ':17', 'IS', 'IS:', 'IS:a', 'IS:1,', 'IS_NOT:17', 'is:17'])('cannot be "%s"', (query) => {
    expect(problemsOf(query)).toEqual([
      'A filter is one of IS, IS_ANY_OF, a colon and the values to find, such as IS:17.',
    ]);
  });

  test('has at most 250 values', () => {
    const filterWith = (count: number) => `IS_ANY_OF:${Array(count).fill('1').join(',')}`;
    expect(problemsOf(filterWith(250))).toBeUndefined();
    expect(problemsOf(filterWith(251))).toEqual(['A filter has at most 250 values.']);
  });
});

test('A search has at most 50 texts and 1,000 characters', () => {
  const problems = (query: string) => v.safeParse(searchTexts, query).issues?.map(({ message }) => message);
  expect(problems(Array(50).fill('a').join(','))).toBeUndefined();
  expect(problems(Array(51).fill('a').join(','))).toEqual(['A search has at most 50 texts, separated by commas.']);
  expect(problems('a'.repeat(1_001))).toEqual(['A search has at most 1,000 characters.']);
});
