import { describe, expect, test } from 'vitest';
import { plotTrends } from '../../../../lib/console/trends/trend-charts.ts';
import { chooseWeekWords, describeWeek, firstDayOf } from '../../../../lib/console/words/weeks.ts';
import type { Trends } from '../../../../lib/trends/trends-schema.ts';

const dates = ['2026-12-27', '2027-01-03'] as const;
const counts = { total: 4, active: 2, stale: 1, potentiallyStale: 1 };
const place = { date: dates[1], week: '2026-53' };
const trends: Trends = {
  userTrends: dates.map((date) => ({ date, total: 3, active: 2, inactive: 1 })),
  flagTrends: dates.map((date) => ({ date, ...counts })),
  projectFlagTrends: [
    { ...place, project: 'a', ...counts, health: 75, technicalDebt: 25, timeToProduction: 2, users: 5 },
    { ...place, project: 'b', ...counts, health: 75, technicalDebt: 25, timeToProduction: 5, users: 1 },
    { ...place, project: 'c', ...counts, health: 75, technicalDebt: 25 },
  ],
  metricsSummaryTrends: [],
  environmentTypeTrends: [{ ...place, environmentType: 'production', totalUpdates: 7 }],
  lifecycleTrends: [],
  creationArchiveTrends: ['a', 'b'].map((project) => {
    return { ...place, project, archivedFlags: 1, createdFlags: { release: 2, experiment: 1 } };
  }),
};

describe('The charts of trends', () => {
  const valuesOf = (isOneProject = false) =>
    Object.fromEntries(
      plotTrends(trends, isOneProject).map(({ id, plot }) => [
        id,
        plot.lines.map(({ name, values }) => [name, ...values.values()]),
      ]),
    );

  test('draw the week that is not over by a path of its own', () => {
    const drawnAt = (time: string) => {
      const [flags] = plotTrends(trends, false, Date.parse(time));
      return flags?.plot.lines.map(({ unfinished }) => unfinished !== '');
    };
    expect(drawnAt('2027-01-03T23:00:00Z')).toEqual([true, true, true, true]);
    expect(drawnAt('2027-01-04T00:00:00Z')).toEqual([false, false, false, false]);
  });

  test('show sums and averages of the projects, and leave out charts without values', () => {
    expect(valuesOf()).toEqual({
      flags: [
        ['Total', 4, 4],
        ['Active', 2, 2],
        ['Older than expected', 1, 1],
        ['Stale', 1, 1],
      ],
      created: [
        ['Created', 6],
        ['Archived', 2],
      ],
      health: [
        ['Health', 75, 75],
        ['Technical debt', 25, 25],
      ],
      'production-time': [['Days', 3.5]],
      updates: [['production', 7]],
      users: [
        ['Total', 3, 3],
        ['Active', 2, 2],
      ],
    });
  });

  test('show the members of a single project in place of all users', () => {
    expect(valuesOf(true).users).toEqual([['Members', 6]]);
  });

  test('name weeks by their days, in UTC', () => {
    const [first, second] = dates.map((date) => Date.parse(date) / 1_000) as [number, number];
    expect([first, second].map(describeWeek)).toEqual(['21 – 27 Dec 2026', '28 Dec – 3 Jan 2027']);
    const describeIn = (weeks: number) => chooseWeekWords(second - weeks * 7 * 24 * 60 * 60, second);
    expect(describeIn(52)(second)).toBe('Jan 2027');
    expect(describeIn(13)(second)).toBe('28 Dec – 3 Jan');
    // The middle of a chart may be between two weeks.
    expect(describeIn(13)(second - 3.5 * 24 * 60 * 60)).toBe('28 Dec – 3 Jan');
    expect(describeIn(0)(second)).toBe('28 Dec – 3 Jan 2027');
    expect(firstDayOf(1, Date.UTC(2027, 0, 3, 23))).toBe('2026-12-27');
  });
});
