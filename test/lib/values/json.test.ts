import { expect, test } from 'vitest';
import { isJsonObject, toList } from '../../../lib/values/json.ts';

test('A JSON object is neither a list nor null, and toList turns everything but a list into an empty list', () => {
  expect([{}, [], null, 'a', undefined].map(isJsonObject)).toEqual([true, false, false, false, false]);
  expect([[1], {}, null, 'a'].map(toList)).toEqual([[1], [], [], []]);
});
