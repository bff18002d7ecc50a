import type { Event } from '../../../lib/events/event-schema.ts';
import type { Trends } from '../../../lib/trends/trends-schema.ts';
import { dayMs, type WeekReport, type Year } from './generate-year.ts';

/** The present facts that trends depend on, as the API tells them. */
export interface Present {
  /** The time of the record, in milliseconds since 1970. */
  readonly now: number;
  /** The expected lifetime in days, by type of flag. */
  readonly lifetimes: ReadonlyMap<string, number | null>;
  readonly users: readonly { readonly createdAt: string; readonly seenAt?: string | null }[];
  /** The members by project. */
  readonly members: ReadonlyMap<string, number>;
}

/** A week, found by counting days from Monday to Monday, and named by the rule of the Thursday. */
interface Week {
  readonly start: number;
  readonly end: number;
  readonly name: string;
  readonly date: string;
}

function listWeeks(from: number, to: number): Week[] {
  const weeks: Week[] = [];
  const monday = new Date(from);
  monday.setUTCHours(0, 0, 0, 0);
  while (monday.getUTCDay() !== 1) monday.setUTCDate(monday.getUTCDate() - 1);
  for (let start = monday.getTime(); start <= to; start += 7 * dayMs) {
    const thursday = new Date(start + 3 * dayMs);
    let number = 0;
    // The week has the number of its Thursday in the year.
    for (let day = thursday.getTime(); new Date(day).getUTCFullYear() === thursday.getUTCFullYear(); day -= 7 * dayMs) {
      number += 1;
    }
    const name = `${thursday.getUTCFullYear()}-${String(number).padStart(2, '0')}`;
    weeks.push({ start, end: start + 7 * dayMs, name, date: new Date(start + 6 * dayMs).toISOString().slice(0, 10) });
  }
  return weeks;
}

const timeOf = ({ createdAt }: Pick<Event, 'createdAt'>) => Date.parse(createdAt);
const isIn = ({ start, end }: Week, at: number) => at >= start && at < end;

/** Splits the events of a name into those of each flag that had it. */
function listLives(events: readonly Event[]): Event[][] {
  const lives: Event[][] = [];
  for (const event of events) {
    if (event.type === 'feature-created') lives.push([event]);
    else lives.at(-1)?.push(event);
  }
  return lives;
}

/** Looks up how a flag is at a moment in its events; undefined if it does not exist then. */
function lookUp(life: readonly Event[], at: number) {
  const past = life.filter((event) => timeOf(event) < at);
  const lastOf = (...types: readonly string[]) => past.findLast(({ type }) => types.includes(type))?.type;
  const [created] = past;
  if (created === undefined || lastOf('feature-deleted') !== undefined) return undefined;
  const isOn = ({ type, environment }: Event) => type === 'feature-environment-enabled' && environment === 'production';
  const typed = past.findLast(({ type }) => type === 'feature-created' || type === 'feature-metadata-updated');
  return {
    project: past.at(-1)?.project ?? '',
    type: String(typed?.data?.type),
    createdAt: timeOf(created),
    isArchived: lastOf('feature-archived', 'feature-revived') === 'feature-archived',
    isStale: lastOf('feature-stale-on', 'feature-stale-off') === 'feature-stale-on',
    production: past.find(isOn),
  };
}

/**
 * Computes trends from the events one by one, without any state between weeks.
 * @param projects the visible ones.
 */
export function expectTrends({ events, reports }: Year, projects: readonly string[], present: Present): Trends {
  const trends: Trends = {
    ...{ userTrends: [], flagTrends: [], projectFlagTrends: [], metricsSummaryTrends: [], environmentTypeTrends: [] },
    ...{ lifecycleTrends: [], creationArchiveTrends: [] },
  };
  const byName = Map.groupBy(
    events.filter(({ featureName }) => featureName !== null),
    ({ featureName }) => featureName,
  );
  const lives = [...byName.values()].flatMap(listLives);
  const firstAt = Math.min(...events.map(timeOf), ...reports.map(({ at }) => at));
  let hasProject = false;
  const types = new Set<string>();
  const weeks = listWeeks(firstAt, present.now);
  for (const week of weeks) {
    const { date, name } = week;
    const at = Math.min(week.end, present.now);
    const users = events.filter((event) => timeOf(event) < week.end && event.type.startsWith('user-'));
    const deletions = users.filter(({ type }) => type === 'user-deleted').length;
    const own = present.users.filter(({ createdAt }) => Date.parse(createdAt) <= at);
    const total = users.length - 2 * deletions + own.length;
    const active = own.filter(({ seenAt }) => seenAt && Date.parse(seenAt) > at - 60 * dayMs).length;
    if (total > 0) trends.userTrends.push({ date, total, active, inactive: total - active });

    const flags = lives.flatMap((life) => lookUp(life, week.end) ?? []);
    const happened = events.filter((event) => isIn(week, timeOf(event)));
    const reported = reports.filter((report) => isIn(week, report.at));
    const sums = { total: 0, active: 0, stale: 0, potentiallyStale: 0 };
    const updates = new Map<string, number>();
    for (const project of projects.toSorted()) {
      const ofProject = flags.filter((flag) => flag.project === project);
      const eventsOfProject = happened.filter((event) => event.project === project);
      const reportsOfProject = reported.filter((report) => report.project === project);
      if (ofProject.length + eventsOfProject.length + reportsOfProject.length === 0) continue;
      hasProject = true;
      const place = { date, week: name, project };
      const live = ofProject.filter(({ isArchived }) => !isArchived);
      const stale = live.filter(({ isStale }) => isStale).length;
      const old = live.filter(({ isStale, type, createdAt }) => {
        const days = present.lifetimes.get(type) ?? null;
        return !isStale && days !== null && at - createdAt > days * dayMs;
      }).length;
      const counts = { total: live.length, active: live.length - stale - old, stale, potentiallyStale: old };
      for (const kind of ['total', 'active', 'stale', 'potentiallyStale'] as const) sums[kind] += counts[kind];
      const days = ofProject.flatMap(({ type, createdAt, production }) => {
        if (type !== 'release' || production === undefined || timeOf(production) <= at - 84 * dayMs) return [];
        return [(timeOf(production) - createdAt) / dayMs];
      });
      const mean = days.reduce((sum, each) => sum + each, 0) / days.length;
      const health = live.length === 0 ? 100 : Math.round(100 - (100 * stale) / live.length);
      trends.projectFlagTrends.push({
        ...place,
        ...counts,
        ...{ health, technicalDebt: 100 - health },
        ...(days.length > 0 && { timeToProduction: Math.round(mean * 10) / 10 }),
        ...(at > present.now - 7 * dayMs && { users: present.members.get(project) ?? 0 }),
      });
      const count = (type: string) => eventsOfProject.filter((event) => event.type === type);
      const firstInProduction = lives.filter((life) => {
        const first = life.find(
          ({ type, environment }) => type === 'feature-environment-enabled' && environment === 'production',
        );
        return first !== undefined && first.project === project && isIn(week, timeOf(first));
      });
      trends.lifecycleTrends.push({ ...place, newProductionFlags: firstInProduction.length });
      const created = Map.groupBy(count('feature-created'), ({ data }) => String(data?.type));
      trends.creationArchiveTrends.push({
        ...place,
        archivedFlags: count('feature-archived').length,
        createdFlags:
          created.size === 0
            ? { release: 0 }
            : Object.fromEntries([...created].map(([type, all]) => [type, all.length])),
      });
      for (const { environment } of eventsOfProject) {
        if (environment !== null) updates.set(environment, (updates.get(environment) ?? 0) + 1);
      }
      if (reportsOfProject.length > 0)
        trends.metricsSummaryTrends.push({ ...place, ...expectMetrics(reportsOfProject) });
    }
    for (const type of updates.keys()) types.add(type);
    if (hasProject) {
      trends.flagTrends.push({ date, ...sums });
      for (const environmentType of ['development', 'production']) {
        const totalUpdates = updates.get(environmentType) ?? 0;
        trends.environmentTypeTrends.push({ date, week: name, environmentType, totalUpdates });
      }
    }
  }
  return {
    ...trends,
    environmentTypeTrends: trends.environmentTypeTrends.filter(({ environmentType }) => types.has(environmentType)),
  };
}

function expectMetrics(reports: readonly WeekReport[]) {
  const [totalYes, totalNo] = [(report: WeekReport) => report.yes, (report: WeekReport) => report.no].map((read) =>
    reports.reduce((sum, report) => sum + read(report), 0),
  ) as [number, number];
  const count = (read: (report: WeekReport) => string) => new Set(reports.map(read)).size;
  return {
    ...{ totalYes, totalNo, totalRequests: totalYes + totalNo },
    totalApps: count(({ appName }) => appName),
    totalFlags: count(({ featureName }) => featureName),
    totalEnvironments: count(({ environment }) => environment),
  };
}
