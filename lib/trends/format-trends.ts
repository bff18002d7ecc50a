import { formatCsv } from '../helpers/csv.ts';
import { healthOf } from '../projects/ledger.ts';
import { countCreatedFlags, countFlags, countNamed, listEnvironmentTypes, type VisibleWeek } from './load-trends.ts';

/**
 * Formats the numbers of weeks as CSV, with a row for each project and week. Created flags have a column for each type, and updates one
 * for each type of environment. A field is empty if its number is not known.
 */
export function formatTrends(weeks: readonly VisibleWeek[]): string {
  const projects = weeks.flatMap((week) => week.projects);
  const flagTypes = [...new Set(projects.flatMap(({ trend }) => Object.keys(countCreatedFlags(trend))))].toSorted();
  const environmentTypes = listEnvironmentTypes(weeks);
  const columns = [
    ...['week', 'date', 'project', 'total', 'active', 'stale', 'potentiallyStale', 'health', 'technicalDebt'],
    ...['timeToProduction', 'users', 'newProductionFlags', 'archivedFlags'],
    ...flagTypes.map((type) => `createdFlags.${type}`),
    ...environmentTypes.map((type) => `updates.${type}`),
    ...['totalRequests', 'totalYes', 'totalNo', 'totalApps', 'totalFlags', 'totalEnvironments'],
  ];
  const rows = projects.map(({ week, project, trend }) => {
    const { total, active, stale, potentiallyStale } = countFlags(trend);
    const { health, technicalDebt } = healthOf({ live: total, stale });
    const { timeToProduction, users, newProductionFlags, archivedFlags, createdFlags, updates, metrics } = trend;
    const numbers = [
      ...[total, active, stale, potentiallyStale, health, technicalDebt],
      ...[timeToProduction, users, newProductionFlags, archivedFlags],
      ...flagTypes.map((type) => countNamed(createdFlags, type)),
      ...environmentTypes.map((type) => countNamed(updates, type)),
      ...(metrics === undefined
        ? Array.from({ length: 6 }, () => undefined)
        : [metrics.yes + metrics.no, metrics.yes, metrics.no, metrics.apps, metrics.flags, metrics.environments]),
    ];
    return [week.name, week.lastDay, project, ...numbers.map((number) => (number === undefined ? '' : String(number)))];
  });
  return formatCsv(columns, rows);
}
