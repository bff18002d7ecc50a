import { expect, test } from 'vitest';
import { buildRangeMatcher, isIpRange } from '../../../lib/values/ip-ranges.ts';

test('Addresses and CIDR ranges of IPv4 and IPv6 are ranges, and other texts are not', () => {
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

test('A matcher matches the addresses in its ranges, IPv4 and IPv6 apart', () => {
  const matches = buildRangeMatcher(['10.1.2.3/8', '192.168.7.7', 'garbage', '2001:db8::/32', '2001:db9::1']);
  const inside = ['10.9.9.9', '192.168.7.7', '2001:db8::7', '2001:DB8:0::7', '2001:db9::1'];
  const outside = ['11.0.0.1', '192.168.7.8', '2001:db9::2', '::ffff:10.9.9.9', 'garbage', '', '10.0.0.0/8'];
  expect([...inside, ...outside].filter(matches)).toEqual(inside);
  expect(buildRangeMatcher(['0.0.0.0/0'])('10.1.1.1')).toBe(true);
  expect(buildRangeMatcher(['::/0'])('10.1.1.1')).toBe(false);
});
