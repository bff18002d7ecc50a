import fc from 'fast-check';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { findDuplicates, uniqueBy } from '../../../lib/values/lists.ts';

test('Duplicates are the values that a list contains more than once, each listed once', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor')), (values) => {
      const duplicates = [...new Set(values)].filter((value) => values.indexOf(value) !== values.lastIndexOf(value));
      expect(findDuplicates(values).toSorted()).toEqual(duplicates.toSorted());
    }),
  );
});

test('A list of unique texts is refused with every duplicate, and any other value because it is not a list', () => {
  const uniqueTexts = v.pipe(
    v.array(v.string()),
    uniqueBy(String, (duplicate) => `${duplicate} twice`),
  );
  const messages = (sent: unknown) => v.safeParse(uniqueTexts, sent).issues?.map(({ message }) => message);
  expect(messages(['a', 'b'])).toBeUndefined();
  expect(messages(['a', 'b', 'a', 'b'])).toEqual(['a twice', 'b twice']);
  expect(messages(5)).toEqual([expect.stringContaining('Expected Array')]);
});
