import fc from 'fast-check';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { duplicates, noneTwice } from '../../../lib/values/duplicates.ts';

test('Duplicates are the values that stand in a list more than once, each named once', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor')), (values) => {
      const repeated = [...new Set(values)].filter((value) => values.filter((each) => each === value).length > 1);
      expect(duplicates(values).toSorted()).toEqual(repeated.toSorted());
    }),
  );
});

test('A list in which nothing may stand twice is refused for each text that does, and what is no list for that alone', () => {
  const once = v.pipe(
    v.array(v.string()),
    noneTwice(String, (repeated) => `${repeated} twice`),
  );
  const messages = (sent: unknown) => v.safeParse(once, sent).issues?.map(({ message }) => message);
  expect(messages(['a', 'b'])).toBeUndefined();
  expect(messages(['a', 'b', 'a', 'b'])).toEqual(['a twice', 'b twice']);
  expect(messages(5)).toEqual([expect.stringContaining('Expected Array')]);
});
