import { describe, expect, test } from 'vitest';
import { countOf, percent, shortCount } from '../../../../lib/console/words/numbers.ts';
import { describeAge, describeDay } from '../../../../lib/console/words/times.ts';

describe('Numbers', () => {
  test.each([
    [0, '0'],
    [999, '999'],
    [1_000, '1k'],
    [1_149, '1.1k'],
    [9_949, '9.9k'],
    [9_950, '10k'],
    [999_499, '999k'],
    [999_500, '1M'],
    [3_400_000, '3.4M'],
  ])('%d is short: %s', (count, text) => {
    expect(shortCount(count)).toBe(text);
  });

  test('never round a share of some to none or all', () => {
    expect([percent(0, 0), percent(1, 1_000), percent(1, 2), percent(999, 1_000), percent(3, 3)]).toEqual([
      ...['0%', '<1%', '50%', '>99%', '100%'],
    ]);
  });

  test('go with the singular or the plural of a thing', () => {
    expect([countOf(1, 'flag'), countOf(0, 'flag'), countOf(2, 'entry', 'entries')]).toEqual([
      '1 flag',
      '0 flags',
      '2 entries',
    ]);
  });
});

describe('Times', () => {
  const now = new Date(2026, 5, 15, 12).getTime();
  const at = (seconds: number) => new Date(now + seconds * 1_000).toISOString();

  test.each([
    [-10, 'just now'],
    [-50, '1 min ago'],
    [-600, '10 min ago'],
    [-3_600, '1 h ago'],
    [7_200, 'in 2 h'],
    [-86_400, '1 day ago'],
    [-10 * 86_400, '10 days ago'],
    [-90 * 86_400, '3 months ago'],
  ])('%d seconds from now are "%s"', (seconds, text) => {
    expect(describeAge(at(seconds), now)).toBe(text);
  });

  test('name the last two days', () => {
    const days = [at(0), at(-86_400), at(-5 * 86_400)].map((time) => describeDay(time, now));
    expect(days).toEqual(['Today', 'Yesterday', 'Wednesday, June 10, 2026']);
  });
});
