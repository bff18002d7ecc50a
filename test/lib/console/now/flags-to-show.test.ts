import { expect, test } from 'vitest';
import { findFlags, flagsToShow } from '../../../../lib/console/now/flags-to-show.ts';
import type { NowFlag } from '../../../../lib/screens/now-schema.ts';

const flag = (name: string, rest: Partial<NowFlag> = {}) =>
  ({ name, favorite: false, type: 'release', ...rest }) as NowFlag;
const namesOf = (flags: readonly NowFlag[]) => flags.map(({ name }) => name);

test('Starred flags, kill switches and flags that changed lately are at hand', () => {
  const flags = [flag('a', { favorite: true }), flag('b', { type: 'kill-switch' }), flag('c'), flag('d')];
  expect(namesOf(flagsToShow(flags, new Set(['d', null])))).toEqual(['a', 'b', 'd']);
});

test('A search begins with flags whose names begin with its first word, and shows at most 30', () => {
  const flags = [flag('old-checkout'), flag('checkout-new'), flag('search')];
  expect(namesOf(findFlags(flags, 'Check'))).toEqual(['checkout-new', 'old-checkout']);
  expect(namesOf(findFlags(flags, 'check old'))).toEqual(['old-checkout']);
  expect(
    findFlags(
      Array.from({ length: 50 }, (_, index) => flag(`flag-${index}`)),
      '',
    ),
  ).toHaveLength(30);
});
