import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ShardPicker } from '../../../../lib/store/transactions/shard-picker.ts';

const items = Array.from({ length: 8 }, (_, index) => ({ pk: 'COUNTS', sk: String(index) }));

describe('Shards', () => {
  test('are not picked twice at the same time, as long as there are enough', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 7 }), { maxLength: 60 }), (moves) => {
        const picker = new ShardPicker();
        const taken: ReturnType<ShardPicker['take']>[] = [];
        for (const move of moves) {
          if (move < taken.length) taken.splice(move, 1)[0]?.[Symbol.dispose]();
          else if (taken.length < items.length) taken.push(picker.take(items));
          expect(new Set(taken.map(({ key }) => key.sk)).size).toBe(taken.length);
        }
      }),
    );
  });

  test('are picked in turn', () => {
    const picker = new ShardPicker();
    const dealt = items.map(() => {
      using taken = picker.take(items);
      return taken.key;
    });
    expect(dealt.toSorted((a, b) => a.sk.localeCompare(b.sk))).toEqual(items);
  });

  test('are picked twice if there are not enough', () => {
    const picker = new ShardPicker();
    const all = Array.from({ length: 20 }, () => picker.take(items));
    expect(new Set(all.map(({ key }) => key.sk)).size).toBe(items.length);
  });

  test('are picked from a random start, so that processes do not pick in step', () => {
    const first = new Set(Array.from({ length: 200 }, () => new ShardPicker().take(items).key.sk));
    expect(first.size).toBe(items.length);
  });
});
