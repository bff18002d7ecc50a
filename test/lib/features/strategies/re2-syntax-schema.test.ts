import fc from 'fast-check';
import { RE2JS } from 're2js';
import { describe, expect, test } from 'vitest';
import { re2Extent } from '../../../../lib/features/strategies/re2-syntax-schema.ts';

describe('A regular expression', () => {
  test.each([
    '',
    '^checkout-[a-z]+$',
    '(?P<year>\\d{4})-(?<month>\\d{2})',
    '(?:x(?i:y)z)',
    '\\Aa\\z',
    '\\Q(?=\\E',
    '\\Q((',
    '\\Q( (\\E',
    '[[:alpha:]_][^]a]',
    '[(?=]',
    '[(]',
    '[^](]',
    '[[:alpha:](]',
    '(a])',
    '[x](a])',
    '\\pN\\p{Greek}\\PL',
    '\\x41\\x{1F600}',
    '\\x{1001}',
    '\\.\\-\\_\\/',
    'a{1000}b{2,}c{0,3}d*?',
    'x{,5}',
    'ключ😀',
  ])('%j is one of RE2', (pattern) => {
    expect(re2Extent(pattern)).toBeDefined();
  });

  test.each([
    'a(?=b)',
    '(?<=a)b',
    '(a)\\1',
    '(?<n>a)\\k<n>',
    '(?>a)',
    '(?#comment)',
    '(?z)',
    'a**',
    'a)',
    'a\\',
    '\\y',
    'a{1,1001}',
    'a{2,1}',
    '(a{32}){32}',
    '((a{11}b){10}c){10}',
    '(?P<n>*)',
    '[a](]',
    '[[:alpha:]](]',
  ])('%j is none', (pattern) => {
    expect(re2Extent(pattern)).toBeUndefined();
  });

  test('is taken exactly where an engine of RE2 takes it', () => {
    const pieces = String.raw`
      a u L . ^ $ | ( ) (| (?:a) (?P<n>a) (?<n>b) (?P<1>a) (?i:a) (?i-s:a) (?-:a) (?=a) (?<a) (?P=n) (?> } { {2} {2,} {3,2} {,2}
      {1001} * + ? *? é 😀 ] - \d \pL \pLu \p{Lu} \p{Greek} \p{^Lu} \P{Foo} \p{LU} \p{ \p \pX \x41 \x4 \x{10ffff} \x{110000} \x{}
      \0 \07 \12 \8 \1 \Qa+\E \Q \E \b \z \Z \C \e \_ \/ \é [a] [^a] [] [^ [a-] [-a] [a-z] [z-a] [a-\d] [\d-z] [[:alpha:]]
      [[:foo:]] [:a:] [\]-\x{5e}] [\n-a] [\Qa] [\b] [\pLu] [\p{Foo}] [[a] [a--] [!--] [a-b-c] [😀-😁] [😁-😀] [\101-b]
      [a-a] [\x41-Z] [\x5b-Z] [\x{41}-\x{5a}] [\x{5a}-\x{41}] [\101-\132] [\132-\101] [\12-\11] [\t-\n] [\n-\t] (?<ab>c) (?<ad>c) (?<ab>d)`;
    const some = fc.array(fc.constantFrom(...pieces.trim().split(/\s+/)), { minLength: 1, maxLength: 3 });
    const isTaken = (pattern: string) => {
      try {
        return RE2JS.compile(pattern) !== undefined;
      } catch {
        return false;
      }
    };
    const agreeing = fc.property(some, (parts) => {
      const pattern = parts.join('');
      expect(re2Extent(pattern) !== undefined, pattern).toBe(isTaken(pattern));
    });
    fc.assert(agreeing, { numRuns: 20_000 });
  });

  test.each([
    ['', 0],
    ['^checkout-[a-z]+$', 13],
    ['a{1000}', 1_000],
    ['a{2,}b{0,3}c{0}', 6],
    ['(?:(ab){10}c){100}', 2_100],
    ['(?i)(?P<n>x\\pN){3}|\\x{1F600}', 8],
    ['(?:\\Q{5}(\\E){4}', 16],
    ['\\Qab\\E{5}', 6],
    ['x{,5}', 5],
    ['\\x41\\\n.\n', 4],
    ['\\pLu\\p{Lu}[\\pLu]', 4],
  ])('%j has %i elements with its repetitions written out', (pattern, size) => {
    expect(re2Extent(pattern)?.size).toBe(size);
  });

  test('has at most as many instructions as were counted, whatever its groups are', () => {
    const leaf = fc.constantFrom(...String.raw`a . ^ \pL [a-c] (?i:k) \b ab () (?:) [^a] \Qab\E (?i) |`.split(' '), '');
    const operator = fc.constantFrom(...'* + ? *? {2} {3,} {0,3} {2,5} {0} {1,} {0,1} {40}'.split(' '), '');
    const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
      pattern: fc.oneof(
        { maxDepth: 5 },
        leaf,
        fc
          .tuple(fc.constantFrom('(', '(?:'), tie('pattern'), operator)
          .map(([begin, content, end]) => `${begin}${content})${end}`),
        fc.array(tie('pattern'), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('|')),
        fc.array(tie('pattern'), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('')),
      ),
    }));
    const bounded = fc.property(pattern, (each) => {
      const counted = re2Extent(each)?.instructions;
      if (counted === undefined || counted > 100_000) return;
      expect(RE2JS.compile(each).re2().numberOfInstructions(), each).toBeLessThanOrEqual(counted);
    });
    fc.assert(bounded, { numRuns: 2_000 });
    expect(re2Extent('(){1000}'.repeat(20))?.instructions).toBe(60_003);
  });

  // Time that grew with the square of the length would be longer than any test may take.
  test.each([
    ['(', undefined],
    ['[', undefined],
    ['(?', undefined],
    ['[:', undefined],
    ['(?P<', undefined],
    ['\\', 150_000],
    ['{1', 600_000],
    ['\\Q', 599_998],
    ['a|', 600_000],
  ])('is looked at in time that grows with its length only: 300,000 times %j', (piece, size) => {
    expect(re2Extent(piece.repeat(300_000))?.size).toBe(size);
  });
});
