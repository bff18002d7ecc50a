import { expect, test } from 'vitest';
import { isInRanges, isIpRange } from '../../../lib/values/ip-ranges.ts';

test('An address or a range of either version is one, and nothing else', () => {
  const ranges = ['10.0.0.1', '10.0.0.0/0', '10.0.0.0/32', '2001:db8::1', '2001:db8::/128'];
  const others = [
    '',
    'x',
    '10.0.0',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '10.0.0.0/x8',
    '2001:db8::/129',
    'x/8',
    '10.0.0.0/0008',
  ];
  expect([...ranges, ...others].filter(isIpRange)).toEqual(ranges);
});

test('An address is in the ranges that hold it, each of its own version', () => {
  const isIn = isInRanges(['10.1.2.3/8', '192.168.7.7', 'garbage', '2001:db8::/32', '2001:db9::1']);
  const inside = ['10.9.9.9', '192.168.7.7', '2001:db8::7', '2001:DB8:0::7', '2001:db9::1'];
  const outside = ['11.0.0.1', '192.168.7.8', '2001:db9::2', '::ffff:10.9.9.9', 'garbage', '', '10.0.0.0/8'];
  expect([...inside, ...outside].filter(isIn)).toEqual(inside);
  expect(isInRanges(['0.0.0.0/0'])('10.1.1.1')).toBe(true);
  expect(isInRanges(['::/0'])('10.1.1.1')).toBe(false);
});
