import { healthOf } from '../projects/ledger.ts';
import { isHidden, type Request } from '../request.ts';
import { type IsoWeek, isoWeekOf } from '../values/iso-week.ts';
import { SharedTime } from '../values/time-budget.ts';
import { recordTrends } from './record-trends.ts';
import { loadWeekItems } from './recorded-weeks.ts';
import { type ProjectTrend, parseWeek, type WeekTrend } from './trend-items.ts';
import type { Trends, TrendsQuery } from './trends-schema.ts';

/** The age at which the numbers of the current week are computed again. */
const freshMs = 15 * 60 * 1_000;
/** The time after which a request begins no further step of recording. */
const patienceMs = 5_000;
const dayMs = 86_400_000;
/** The most rows of a reply, one for each project and week, so that it fits into the response of a Lambda function. A year of 110 projects fits. */
const rowsMax = 6_000;

/** A visible project in a week. */
interface VisibleProject {
  readonly week: IsoWeek;
  readonly project: string;
  readonly trend: ProjectTrend;
}

/** The weeks of a range, oldest first, with the projects that the caller sees and asks about. */
export interface VisibleWeek {
  readonly week: IsoWeek;
  readonly users: WeekTrend['users'];
  readonly projects: readonly VisibleProject[];
}

/**
 * Loads the numbers of the weeks of a range. It takes one request to the store if they were recorded in the last 15 minutes; otherwise
 * it records them first. A warning tells the caller if that takes several requests, or if the oldest weeks do not fit into a reply.
 */
export async function loadVisibleWeeks(request: Request, { from, to, projects }: TrendsQuery): Promise<VisibleWeek[]> {
  const now = Date.now();
  const first = isoWeekOf(from === undefined ? now - 365 * dayMs : Math.max(Date.parse(from), 0));
  const end = to === undefined ? now : Date.parse(to) + dayMs;
  const current = isoWeekOf(now).name;
  // The item of the current week tells whether all numbers are fresh, even if the reader asks for others.
  const load = () => loadWeekItems(request, first.name < current ? first.name : current);
  let items = await load();
  if (!items.some(({ sk, until }) => sk === current && until > now - freshMs)) {
    const isComplete = await recordTrends(request, now, new SharedTime(patienceMs));
    if (!isComplete)
      request.warnings.add('The numbers of the past are being computed. Ask again for the latest weeks.');
    items = await load();
  }
  const asked = projects.split(',').filter(Boolean);
  const weeks: VisibleWeek[] = [];
  let rows = 0;
  for (const item of items.toReversed()) {
    const week = weekNamed(item.sk);
    if (week.start < first.start || week.start >= end) continue;
    const { users, projects: all } = parseWeek(item);
    const visible = Object.entries(all)
      .filter(([project]) => !isHidden(request, project) && (asked.length === 0 || asked.includes(project)))
      .map(([project, trend]) => ({ week, project, trend }));
    rows += visible.length;
    if (rows > rowsMax && weeks.length > 0) {
      request.warnings.add('Earlier weeks are left out, since there are too many projects. Ask for fewer of them.');
      break;
    }
    weeks.push({ week, users, projects: visible });
  }
  return weeks.toReversed();
}

/** Returns the week with a name. Week 1 is that of 4 January. */
function weekNamed(name: string): IsoWeek {
  const [year = '', number = ''] = name.split('-');
  return isoWeekOf(Date.UTC(Number(year), 0, 4) + (Number(number) - 1) * 7 * dayMs);
}

/** Counts flags as replies show them: a flag is active if it is neither stale nor older than expected. */
export function countFlags({
  total,
  stale,
  potentiallyStale,
}: Pick<ProjectTrend, 'total' | 'stale' | 'potentiallyStale'>) {
  return { total, active: total - stale - potentiallyStale, stale, potentiallyStale };
}

/** Counts created flags by type. There is always a type, because Unleash's admin UI fails if it adds up no numbers. */
export function countCreatedFlags({ createdFlags }: ProjectTrend): ProjectTrend['createdFlags'] {
  return Object.keys(createdFlags).length === 0 ? { release: 0 } : createdFlags;
}

/** Returns the count of a name, or 0. People choose the names, so one may be "constructor", which each object has. */
export function countNamed(counts: Readonly<Record<string, number>>, name: string): number {
  return (Object.hasOwn(counts, name) && counts[name]) || 0;
}

/** Arranges the numbers of weeks as Unleash does, in seven lists. Sums are those of the visible projects. */
export function arrangeTrends(weeks: readonly VisibleWeek[]): Trends {
  const all = weeks.flatMap(({ projects }) => projects);
  const firstWithProject = weeks.findIndex(({ projects }) => projects.length > 0);
  return {
    userTrends: weeks
      .filter(({ users }) => users.total > 0)
      .map(({ week, users: { total, active } }) => ({ date: week.lastDay, total, active, inactive: total - active })),
    // Earlier weeks would show that there are hidden projects.
    flagTrends: (firstWithProject < 0 ? [] : weeks.slice(firstWithProject)).map(({ week, projects }) => {
      const sumOf = (name: 'total' | 'stale' | 'potentiallyStale') =>
        projects.reduce((sum, { trend }) => sum + trend[name], 0);
      const counts = { total: sumOf('total'), stale: sumOf('stale'), potentiallyStale: sumOf('potentiallyStale') };
      return { date: week.lastDay, ...countFlags(counts) };
    }),
    projectFlagTrends: all.map(({ week, project, trend }) => ({
      ...rowOf(week, project),
      ...countFlags(trend),
      ...healthOf({ live: trend.total, stale: trend.stale }),
      ...(trend.timeToProduction !== undefined && { timeToProduction: trend.timeToProduction }),
      ...(trend.users !== undefined && { users: trend.users }),
    })),
    metricsSummaryTrends: all.flatMap(({ week, project, trend: { metrics } }) => {
      if (metrics === undefined) return [];
      const { yes, no, apps, flags, environments } = metrics;
      const totals = { totalYes: yes, totalNo: no, totalRequests: yes + no };
      return [
        { ...rowOf(week, project), ...totals, totalApps: apps, totalFlags: flags, totalEnvironments: environments },
      ];
    }),
    environmentTypeTrends: arrangeUpdates(weeks, firstWithProject),
    lifecycleTrends: all.map(({ week, project, trend: { newProductionFlags } }) => {
      return { ...rowOf(week, project), newProductionFlags };
    }),
    creationArchiveTrends: all.map(({ week, project, trend }) => {
      return { ...rowOf(week, project), archivedFlags: trend.archivedFlags, createdFlags: countCreatedFlags(trend) };
    }),
  };
}

function rowOf({ lastDay, name }: IsoWeek, project: string) {
  return { date: lastDay, week: name, project };
}

/** Lists the types of environments in which flags were changed in any of the weeks. */
export function listEnvironmentTypes(weeks: readonly VisibleWeek[]): string[] {
  const names = weeks.flatMap(({ projects }) => projects.flatMap(({ trend }) => Object.keys(trend.updates)));
  return [...new Set(names)].toSorted();
}

function arrangeUpdates(weeks: readonly VisibleWeek[], from: number): Trends['environmentTypeTrends'] {
  const types = listEnvironmentTypes(weeks);
  return weeks.slice(Math.max(from, 0)).flatMap(({ week, projects }) =>
    types.map((environmentType) => ({
      date: week.lastDay,
      week: week.name,
      environmentType,
      totalUpdates: projects.reduce((sum, { trend }) => sum + countNamed(trend.updates, environmentType), 0),
    })),
  );
}
