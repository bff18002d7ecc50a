import fc from 'fast-check';
import { RE2JS } from 're2js';
import { describe, expect, test } from 'vitest';
import { countSteps, countStepsIn } from '../../../lib/values/expression-steps.ts';

describe('The steps of a regular expression', () => {
  test.each([
    ['', 3],
    ['^checkout-[a-z]+$', 16],
    ['a{1000}', 1_003],
    ['a{2,}b{0,3}c{0}', 13],
    ['(?:a{0,3}){2}', 21],
    ['a*b|c', 10],
    ['(?:(ab){10}c){100}', 5_403],
    ['(){1000}'.repeat(20), 60_003],
    ['(?i)(?P<n>x\\pN){3}|\\x{1F600}', 21],
    ['(?:\\Q{5}(\\E){4}', 31],
    ['\\Qab\\E{5}', 9],
    ['x{,5}', 8],
    ['\\x41\\101\\\n.\n', 8],
    ['\\pLu\\p{Lu}[\\pLu]', 7],
    // Flags between two repetitions let RE2 repeat the whole, which it refuses without them.
    ['(?:(?:ab){3})+(?i){10}', 193],
    ['[^](]{2}[[:alpha:](]{5}[(\\]]', 11],
  ])('%j takes %i steps, with its repetitions written out', (expression, steps) => {
    expect(countSteps(expression)).toBe(steps);
  });

  test('are counted wherever a body has a constraint with an expression, and nowhere else', () => {
    const constraint = { operator: 'REGEX', value: 'ab' };
    const body = { strategies: [{ constraints: [constraint, { ...constraint, value: 'abc' }] }], title: null };
    expect(countStepsIn(body)).toBe(countSteps('ab') + countSteps('abc'));
    const others = [{ operator: 'STR_CONTAINS', value: 'ab' }, { operator: 'REGEX', value: 7 }, { value: 'ab' }];
    for (const other of [...others, 'REGEX', null, undefined]) expect(countStepsIn(other)).toBe(0);
  });

  test('are at least as many as the instructions of RE2', () => {
    const leaf = fc.constantFrom(
      ...String.raw`a . ^ \pL [a-c] (?i:k) \b ab () (?:) [^a] \Qab\E (?i) | \x41 \x{41} [](] [[:alpha:]] \12`.split(
        ' ',
      ),
      '',
    );
    const operator = fc.constantFrom(
      ...'* + ? *? {2} {3,} {0,3} {2,5} {0} {1,} {0,1} {40} +(?i){3} {2}(?s)* {3}(?i){4}(?s){2}'.split(' '),
      '',
    );
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
    const isBound = fc.property(pattern, (expression) => {
      const steps = countSteps(expression);
      if (steps > 100_000) return;
      const instructions = compile(expression)?.re2().numberOfInstructions() ?? 0;
      expect(instructions, expression).toBeLessThanOrEqual(steps);
    });
    fc.assert(isBound, { numRuns: 2_000 });
  });

  // Time that grew with the square of the length would be longer than any test may take.
  test.each(['(', '[', '(?', '[:', '[[:a', '(?P<', '\\', '{1', '\\Q', 'a|'])(
    'are counted in time that grows with its length only: 300,000 times %j',
    (piece) => {
      expect(countSteps(piece.repeat(300_000))).toBeGreaterThanOrEqual(3);
    },
  );
});

/** Returns undefined for an expression that RE2 refuses, such as a repetition of more than 1,000. */
function compile(expression: string): RE2JS | undefined {
  try {
    return RE2JS.compile(expression);
  } catch {
    return undefined;
  }
}
