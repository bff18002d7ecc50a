import { expect, test } from 'vitest';
import { isThing, listOf } from '../../../lib/values/json.ts';

test('An object of JSON is neither a list nor null, and what is no list stands for an empty one', () => {
  expect([{}, [], null, 'a', undefined].map(isThing)).toEqual([true, false, false, false, false]);
  expect([[1], {}, null, 'a'].map(listOf)).toEqual([[1], [], [], []]);
});
