import * as fc from 'fast-check';
import murmurHash3 from 'murmurhash3js';
import { expect, test } from 'vitest';
import { buildHash } from '../../../../lib/delivery/evaluation/normalized-hash.ts';
import { codePoint } from '../../../harness/code-point.ts';

test('The hash of a text in two parts equals that of the library that the JavaScript SDKs use', () => {
  const text = fc.string({ unit: fc.oneof(fc.constantFrom('a', '7', ':', 'ÿ', 'é', '€', '\0'), codePoint) });
  fc.assert(
    fc.property(text, text, fc.constantFrom(0, 1, 86_028_157, 0xffff_ffff), (beginning, rest, seed) => {
      expect(buildHash(beginning, seed)(rest)).toBe(murmurHash3.x86.hash32(beginning + rest, seed));
    }),
    { numRuns: 1_000 },
  );
});
