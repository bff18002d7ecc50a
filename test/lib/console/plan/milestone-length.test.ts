import { describe, expect, test } from 'vitest';
import { findLengthProblem, toLengthMinutes, toTypedLength } from '../../../../lib/console/plan/milestone-length.ts';

const now = Date.parse('2026-11-29T12:00:00Z');
const startedAt = '2026-11-29T09:30:00Z';

describe('The time of a milestone in a form', () => {
  test.each([1, 45, 60, 90, 1_440, 10_080])('is the same after it was shown: %d minutes', (minutes) => {
    expect(toLengthMinutes(toTypedLength(minutes))).toBe(minutes);
  });

  test.each(['', '0', '-1', '1.5', '1e3', '99999999999'])('is none for "%s"', (count) => {
    expect(toLengthMinutes({ count, unit: 'minutes' })).toBeUndefined();
    expect(findLengthProblem({ count, unit: 'minutes' }, {}, false, now)).toMatch(/^A whole number/);
  });

  test('must be longer than the active milestone is active, and only than this one', () => {
    const typed = { count: '2', unit: 'hours' } as const;
    expect(findLengthProblem(typed, { startedAt }, true, now)).toBe(
      'It has been active for 2 hours already, so the time must be longer.',
    );
    expect(findLengthProblem({ ...typed, count: '3' }, { startedAt }, true, now)).toBeUndefined();
    expect(findLengthProblem(typed, { startedAt }, false, now)).toBeUndefined();
  });
});
