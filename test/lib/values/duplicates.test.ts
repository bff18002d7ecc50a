import fc from 'fast-check';
import { expect, test } from 'vitest';
import { duplicates } from '../../../lib/values/duplicates.ts';

test('Duplicates are the values that stand in a list more than once, each named once', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor')), (values) => {
      const repeated = [...new Set(values)].filter((value) => values.filter((each) => each === value).length > 1);
      expect(duplicates(values).toSorted()).toEqual(repeated.toSorted());
    }),
  );
});
