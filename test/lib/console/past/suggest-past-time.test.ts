import { expect, test } from 'vitest';
import { suggestPastTime } from '../../../../lib/console/past/suggest-past-time.ts';

test('Time travel begins a day ago, or soon after the flag was created, and never in the future', () => {
  const now = Date.parse('2026-11-30T12:00:30Z');
  const suggest = (createdAt: string) => new Date(suggestPastTime(createdAt, now)).toISOString();
  expect(suggest('2026-10-01T08:00:00Z')).toBe('2026-11-29T12:00:30.000Z');
  expect(suggest('2026-11-30T08:00:00Z')).toBe('2026-11-30T08:01:00.000Z');
  expect(suggest('2026-11-30T12:00:10Z')).toBe('2026-11-30T12:00:30.000Z');
});
