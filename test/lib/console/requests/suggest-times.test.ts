import { expect, test } from 'vitest';
import { suggestTimes } from '../../../../lib/console/requests/suggest-times.ts';
import { fromLocalTime, toLocalTime } from '../../../../lib/console/words/times.ts';

const suggest = (now: string) => suggestTimes(new Date(now)).map(({ words, time }) => [words, toLocalTime(time)]);

test('Suggested times are in an hour, tomorrow morning and Monday morning', () => {
  expect(suggest('2026-12-02T14:03:00')).toEqual([
    ['In an hour', '2026-12-02T15:05'],
    ['Tomorrow 09:00', '2026-12-03T09:00'],
    ['Monday 09:00', '2026-12-07T09:00'],
  ]);
});

test('On a Sunday, Monday morning is suggested once', () => {
  expect(suggest('2026-11-29T14:00:00').map(([words]) => words)).toEqual(['In an hour', 'Tomorrow 09:00']);
});

test('A field for date and time holds the same minute as the API', () => {
  const time = fromLocalTime('2026-12-02T14:03');
  expect(time === undefined ? undefined : toLocalTime(time)).toBe('2026-12-02T14:03');
  expect(fromLocalTime('')).toBeUndefined();
});
