import * as fc from 'fast-check';
import murmurHash3 from 'murmurhash3js';
import { expect, test } from 'vitest';
import { hashAfter } from '../../../../lib/delivery/evaluation/normalized-hash.ts';
import { codePoint } from '../../../harness/code-point.ts';

test('A hash of a text in two parts is that of the library which the SDKs for JavaScript use, wherever it is cut', () => {
  const text = fc.string({ unit: fc.oneof(fc.constantFrom('a', '7', ':', 'ÿ', 'é', '€', '\0'), codePoint) });
  fc.assert(
    fc.property(text, text, fc.constantFrom(0, 1, 86_028_157, 0xffff_ffff), (beginning, rest, seed) => {
      expect(hashAfter(beginning, seed)(rest)).toBe(murmurHash3.x86.hash32(beginning + rest, seed));
    }),
    { numRuns: 1_000 },
  );
});
