import { expect, test } from 'vitest';
import { titleRevert } from '../../../../lib/console/past/title-revert.ts';

test('The title of a revert has the flag and the moment, in a zone that is the same for all readers', () => {
  const moments = ['before', 'after', 'time'] as const;
  expect(moments.map((side) => titleRevert('new-checkout', side, '2026-11-30T03:14:05.123Z'))).toEqual([
    'Take new-checkout back to right before the change of 2026-11-30 03:14:05 UTC',
    'Take new-checkout back to right after the change of 2026-11-30 03:14:05 UTC',
    'Take new-checkout back to 2026-11-30 03:14:05 UTC',
  ]);
});
