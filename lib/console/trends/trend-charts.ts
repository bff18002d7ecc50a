import type { Trends } from '../../trends/trends-schema.ts';
import { type Plot, plotSeries, type Series } from '../impact-metrics/plot-lines.ts';

/** A chart of trends. */
export interface TrendChart {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  readonly plot: Plot;
}

const daySeconds = 24 * 60 * 60;
const weekSeconds = 7 * daySeconds;

/** The values of a line by the last day of their week. */
type Values = ReadonlyMap<string, number>;

/**
 * Plots trends. Charts without any value are left out.
 * @param isOneProject true if the numbers are those of one project.
 * @param now milliseconds since 1970.
 */
export function plotTrends(trends: Trends, isOneProject: boolean, now = Date.now()): TrendChart[] {
  const { flagTrends, userTrends, projectFlagTrends, metricsSummaryTrends, environmentTypeTrends } = trends;
  const types = [...new Set(environmentTypeTrends.map(({ environmentType }) => environmentType))];
  const health = new Map(flagTrends.map(({ date, total, stale }) => [date, healthOf(total, stale)]));
  const charts: (Omit<TrendChart, 'plot'> & { readonly lines: readonly (readonly [name: string, Values])[] })[] = [
    {
      ...{ id: 'flags', title: 'Flags', about: 'Live flags at the end of each week' },
      lines: [
        ['Total', pick(flagTrends, ({ total }) => total)],
        ['Active', pick(flagTrends, ({ active }) => active)],
        ['Older than expected', pick(flagTrends, ({ potentiallyStale }) => potentiallyStale)],
        ['Stale', pick(flagTrends, ({ stale }) => stale)],
      ],
    },
    {
      ...{ id: 'created', title: 'Created and archived', about: 'Flags created and archived in each week' },
      lines: [
        ['Created', sum(trends.creationArchiveTrends, ({ createdFlags }) => sumOf(Object.values(createdFlags)))],
        ['Archived', sum(trends.creationArchiveTrends, ({ archivedFlags }) => archivedFlags)],
      ],
    },
    {
      ...{
        id: 'health',
        title: 'Health and technical debt',
        about: 'Percentages of live flags that are not stale, and that are',
      },
      lines: [
        ['Health', health],
        ['Technical debt', new Map([...health].map(([date, percent]) => [date, 100 - percent]))],
      ],
    },
    {
      id: 'production-time',
      title: 'Time to production',
      about: `Days from creation until first on in production, over twelve weeks${isOneProject ? '' : ', the average of the projects'}`,
      lines: [['Days', average(projectFlagTrends, ({ timeToProduction }) => timeToProduction)]],
    },
    {
      ...{ id: 'production', title: 'New in production', about: 'Flags that were first on in production in each week' },
      lines: [['Flags', sum(trends.lifecycleTrends, ({ newProductionFlags }) => newProductionFlags)]],
    },
    {
      ...{ id: 'updates', title: 'Updates', about: 'Changes of flags in each week, by type of environment' },
      lines: types.map((type) => [
        type,
        pick(
          environmentTypeTrends.filter(({ environmentType }) => environmentType === type),
          ({ totalUpdates }) => totalUpdates,
        ),
      ]),
    },
    {
      ...{
        id: 'requests',
        title: 'Requests',
        about: 'How often applications asked for a flag in each week, and got it on or off',
      },
      lines: [
        ['On', sum(metricsSummaryTrends, ({ totalYes }) => totalYes)],
        ['Off', sum(metricsSummaryTrends, ({ totalNo }) => totalNo)],
      ],
    },
    isOneProject
      ? {
          ...{ id: 'users', title: 'Members', about: 'People with a role in the project' },
          lines: [['Members', sum(projectFlagTrends.filter(hasUsers), ({ users }) => users ?? 0)]],
        }
      : {
          ...{ id: 'users', title: 'Users', about: 'All users, and those who signed in during 60 days' },
          lines: [
            ['Total', pick(userTrends, ({ total }) => total)],
            ['Active', pick(userTrends, ({ active }) => active)],
          ],
        },
  ];
  const dates = [...flagTrends, ...userTrends].map(({ date }) => toSeconds(date));
  const range = {
    ...{ start: Math.min(...dates), end: Math.max(...dates), step: weekSeconds, isFromZero: true },
    // The time of a week is the beginning of its last day.
    overUntil: now / 1_000 - daySeconds,
  };
  return charts.flatMap(({ lines, ...chart }) => {
    const series = lines.filter(([, values]) => values.size > 0).map(([name, values]) => toSeries(name, values));
    return series.length === 0 ? [] : [{ ...chart, plot: plotSeries(series, range) }];
  });
}

function hasUsers({ users }: Trends['projectFlagTrends'][number]): boolean {
  return users !== undefined;
}

function healthOf(total: number, stale: number): number {
  return total === 0 ? 100 : Math.round(100 - (100 * stale) / total);
}

function pick<T extends { readonly date: string }>(rows: readonly T[], read: (row: T) => number): Values {
  return new Map(rows.map((row) => [row.date, read(row)]));
}

/** Adds up the values of all projects. */
function sum<T extends { readonly date: string }>(rows: readonly T[], read: (row: T) => number): Values {
  const byDate = Map.groupBy(rows, ({ date }) => date);
  return new Map([...byDate].map(([date, ofDate]) => [date, sumOf(ofDate.map(read))]));
}

/** Returns the average of the projects that have a value, with one decimal. */
function average<T extends { readonly date: string }>(
  rows: readonly T[],
  read: (row: T) => number | undefined,
): Values {
  const byDate = Map.groupBy(rows, ({ date }) => date);
  return new Map(
    [...byDate].flatMap(([date, ofDate]) => {
      const values = ofDate.map(read).filter((value) => value !== undefined);
      return values.length === 0 ? [] : [[date, Math.round((10 * sumOf(values)) / values.length) / 10] as const];
    }),
  );
}

function sumOf(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function toSeries(name: string, values: Values): Series {
  return { name, values: new Map([...values].map(([date, value]) => [toSeconds(date), value])) };
}

function toSeconds(date: string): number {
  return Date.parse(date) / 1_000;
}
