import { describe, expect, test } from 'vitest';
import { BoundedMap, cachePerObject } from '../../../lib/values/cache.ts';

test('A cache per object makes a value once for each object', () => {
  let made = 0;
  const load = cachePerObject((_: object) => ({ number: ++made }));
  const [one, other] = [{}, {}];
  expect([load(one), load(other), load(one)]).toEqual([{ number: 1 }, { number: 2 }, { number: 1 }]);
  expect(made).toBe(2);
  const nothing = cachePerObject((_: object) => void ++made);
  expect([nothing(one), nothing(one), made]).toEqual([undefined, undefined, 3]);
});

describe('A bounded map', () => {
  test('removes the entry that was set longest ago', () => {
    const map = new BoundedMap<string, number>(2).set('a', 1).set('b', 2).set('a', 3).set('c', 4);
    expect([...map]).toEqual([
      ['a', 3],
      ['c', 4],
    ]);
  });

  test('removes no entry below its maximum', () => {
    expect([...new BoundedMap<number, number>(2).set(1, 1).set(1, 2).set(2, 2)]).toHaveLength(2);
  });
});
