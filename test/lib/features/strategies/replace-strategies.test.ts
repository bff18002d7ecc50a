import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Replacement,
  replaceStrategies,
  type WantedStrategy,
} from '../../../../lib/features/strategies/replace-strategies.ts';
import { contentKeyOf, sortByOrder } from '../../../../lib/features/strategies/strategy.ts';
import type { Strategy, StrategyContent } from '../../../../lib/features/strategies/strategy-schema.ts';

/** Few contents and positions, so that many strategies are equal. */
const content: fc.Arbitrary<StrategyContent> = fc.record({
  name: fc.constantFrom('default', 'flexibleRollout'),
  title: fc.constantFrom(null, 'a'),
  disabled: fc.boolean(),
  featureName: fc.constant('feature'),
  segments: fc.constantFrom([], [1]),
  constraints: fc.constant([]),
  variants: fc.constant([]),
  parameters: fc.constantFrom({}, { a: '1', b: '2' }, { b: '2', a: '1' }),
});
const wanted: fc.Arbitrary<WantedStrategy[]> = fc.array(
  fc.record({ content, sortOrder: fc.integer({ min: -1, max: 4 }) }),
  { maxLength: 8 },
);
const existing: fc.Arbitrary<Strategy[]> = wanted.map((list) =>
  list.map((each, index) => ({ id: `id-${index}`, ...each.content, sortOrder: each.sortOrder })),
);

const idsOf = (strategies: readonly Strategy[]) => strategies.map(({ id }) => id);
const keysOf = (contents: readonly StrategyContent[]) => contents.map(contentKeyOf).toSorted();

/** Checks a property for arbitrary existing and wanted strategies. */
function always(check: (result: Replacement, existing: Strategy[], wanted: WantedStrategy[]) => void): void {
  fc.assert(
    fc.property(existing, wanted, (before, list) => {
      check(replaceStrategies(before, list), before, list);
    }),
    { numRuns: 250 },
  );
}

describe('Replacing strategies', () => {
  test('returns exactly the wanted strategies, in their order and at their positions', () => {
    always(({ strategies }, _before, list) => {
      expect(strategies.map(({ id: _id, sortOrder, ...rest }) => ({ content: rest, sortOrder }))).toEqual(list);
    });
  });

  test('keeps or removes every old strategy, and keeps or adds every new one', () => {
    always(({ strategies, removed, added }, before) => {
      const kept = new Set(idsOf(before).filter((id) => !idsOf(removed).includes(id)));
      expect(new Set(idsOf(strategies))).toEqual(new Set([...kept, ...idsOf(added)]));
      expect(kept.size + removed.length).toBe(before.length);
      expect(kept.size + added.length).toBe(strategies.length);
      expect(new Set(idsOf(strategies)).size).toBe(strategies.length);
    });
  });

  test('lists removed and added strategies by position', () => {
    always(({ strategies, removed, added }, before) => {
      const gone = new Set(removed);
      expect(removed).toEqual(sortByOrder(before).filter((each) => gone.has(each)));
      expect(added).toEqual(sortByOrder(strategies).filter(({ id }) => idsOf(added).includes(id)));
    });
  });

  test('keeps as many strategies as possible: no content is both removed and added', () => {
    always(({ removed, added }) => {
      const gone = new Set(keysOf(removed));
      expect(keysOf(added).filter((key) => gone.has(key))).toEqual([]);
    });
  });

  test('keeps the id of a strategy only if its content is the same', () => {
    always(({ strategies }, before) => {
      const known = new Map(before.map((strategy) => [strategy.id, contentKeyOf(strategy)]));
      for (const strategy of strategies) {
        expect(known.get(strategy.id) ?? contentKeyOf(strategy)).toBe(contentKeyOf(strategy));
      }
    });
  });

  test('reports a move exactly if a kept strategy has another position', () => {
    always(({ strategies, moved }, before) => {
      const places = new Map(before.map(({ id, sortOrder }) => [id, sortOrder]));
      expect(moved).toBe(strategies.some(({ id, sortOrder }) => (places.get(id) ?? sortOrder) !== sortOrder));
    });
  });

  test('gives new strategies UUIDs as ids', () => {
    always(({ added }) => {
      for (const { id } of added) expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    });
  });
});
