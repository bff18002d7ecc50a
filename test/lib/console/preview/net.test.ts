import { isIP as isIPOfNode, BlockList as NodeBlockList } from 'node:net';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BlockList, isIP } from '../../../../lib/console/preview/stand-ins/net.ts';

const v4 = fc.ipV4();
const v6 = fc.oneof(
  fc.ipV6(),
  v4.map((address) => `::ffff:${address}`),
);
const address = fc.oneof(v4, v6);
const typeOf = (text: string) => (isIPOfNode(text) === 4 ? 'ipv4' : 'ipv6');

describe('The addresses of the preview', () => {
  test('are those that the service knows', () => {
    const nearly = fc
      .tuple(address, fc.nat(60), fc.constantFrom('', ':', '.', '0', 'g', '::', '%1', '256'))
      .map(([text, at, part]) => text.slice(0, at) + part + text.slice(at + 1));
    fc.assert(
      fc.property(fc.oneof(address, nearly, fc.string()), (text) => {
        expect(isIP(text)).toBe(isIPOfNode(text));
      }),
      { numRuns: 5_000 },
    );
  });

  test.each(['::1%eth0', '::1%', '::1%%', '::1% 1', '::1%é', '10.0.0.1%1', '::1%a-b.c:d', '::1\n'])(
    'have a zone that the service takes, or none: %j',
    (text) => {
      expect(isIP(text)).toBe(isIPOfNode(text));
    },
  );

  test('are in the ranges in which the service finds them', () => {
    const prefix = fc.nat(32);
    fc.assert(
      fc.property(address, address, prefix, fc.boolean(), (start, other, bits, isOwn) => {
        const checked = isOwn ? start : other;
        const answers = [new BlockList(), new NodeBlockList()].map((list) => {
          list.addSubnet(start, bits, typeOf(start));
          return list.check(checked, typeOf(checked));
        });
        expect(answers[0], `${checked} in ${start}/${bits}`).toBe(answers[1]);
      }),
      { numRuns: 5_000 },
    );
  });
});
