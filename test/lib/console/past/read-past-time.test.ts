import { expect, test } from 'vitest';
import { readPastTime } from '../../../../lib/console/past/read-past-time.ts';

test('A typed time is a moment unless it is incomplete or in the future, which the field says without asking the service', () => {
  const now = Date.parse('2026-11-30T12:00:30Z');
  expect(readPastTime('2026-11-30T12:00Z', now)).toEqual({ moment: '2026-11-30T12:00:00.000Z' });
  expect(readPastTime('', now)).toEqual({});
  expect(readPastTime('2027-01-01T12:00Z', now)).toEqual({ problem: 'Choose a time in the past.' });
});
