import { describe, expect, test } from 'vitest';
import { BoundedMap, onceFor } from '../../../lib/values/memory.ts';

test('something is made once for each object', () => {
  let made = 0;
  const of = onceFor((_: object) => ({ number: ++made }));
  const [one, other] = [{}, {}];
  expect([of(one), of(other), of(one)]).toEqual([{ number: 1 }, { number: 2 }, { number: 1 }]);
  expect(made).toBe(2);
  const nothing = onceFor((_: object) => void ++made);
  expect([nothing(one), nothing(one), made]).toEqual([undefined, undefined, 3]);
});

describe('a bounded map', () => {
  test('forgets the entry that was set longest ago', () => {
    const map = new BoundedMap<string, number>(2).set('a', 1).set('b', 2).set('a', 3).set('c', 4);
    expect([...map]).toEqual([
      ['a', 3],
      ['c', 4],
    ]);
  });

  test('forgets none while there is room', () => {
    expect([...new BoundedMap<number, number>(2).set(1, 1).set(1, 2).set(2, 2)]).toHaveLength(2);
  });
});
