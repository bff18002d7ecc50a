import { describe, expect, test } from 'vitest';
import { isRe2 } from '../../../lib/schemas/re2-syntax.ts';
import { processorMsSince } from '../../harness/processor-time.ts';

describe('A regular expression', () => {
  test.each([
    '',
    '^checkout-[a-z]+$',
    'a|b|(c|d)*',
    '(?i)case',
    '(?P<year>\\d{4})-(?<month>\\d{2})',
    '(?:x(?i:y)z)',
    '\\Aa\\z',
    '\\Q(?=\\E',
    '\\Q((',
    '\\Q( (\\E',
    '\\Qa\\E*',
    '[[:alpha:]_][^]a]',
    '[(?=]',
    '[(]',
    '[^](]',
    '[[:alpha:](]',
    '[[:^alpha:](]',
    '(a])',
    '[x](a])',
    '\\pN\\p{Greek}\\PL',
    '\\x41\\x{1F600}',
    '\\x{1001}',
    '\\.\\-\\_\\/',
    'a{1000}b{2,}c{0,3}d*?',
    'x{,5}',
    '\\\\',
    'ключ😀',
  ])('%j is one of RE2', (pattern) => {
    expect(isRe2(pattern)).toBe(true);
  });

  test.each([
    'a(?=b)',
    'a(?!b)',
    '(?<=a)b',
    '(?<!a)b',
    '(a)\\1',
    '(?<n>a)\\k<n>',
    '(?>a)',
    '(?#comment)',
    '(?z)',
    'a**',
    '*a',
    '(a',
    'a)',
    '[a',
    'a\\',
    '\\y',
    '\\Z',
    'a{1001}',
    'a{1,1001}',
    'a{2,1}',
    '(?i)*',
    '(?P<n>*)',
    '[a](]',
    '[[:alpha:]](]',
  ])('%j is none', (pattern) => {
    expect(isRe2(pattern)).toBe(false);
  });

  test('is looked at in time that grows with its length only', () => {
    const start = process.cpuUsage();
    for (const pattern of ['(', '[', '\\', '(?', '{1', '[:', '\\Q', '(?P<', 'a|']) isRe2(pattern.repeat(50_000));
    expect(processorMsSince(start)).toBeLessThan(10_000);
  });
});
