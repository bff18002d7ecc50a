import type { Request } from '../request.ts';
import type { Key } from '../store/client/definition.ts';
import { queryAll } from '../store/read.ts';
import type { IsoWeek } from '../values/iso-week.ts';
import * as trendKeys from './keys.ts';
import { type ProjectTrend, parseWeek, type WeekItem, type WeekTrend } from './trend-items.ts';

/** Loads the items of all weeks from one on, in one round trip unless they exceed 1 MB. */
export function loadWeekItems(request: Request, from = ' '): Promise<(Key & WeekItem)[]> {
  return queryAll<Key & WeekItem>(request, trendKeys.weeksFrom(from));
}

/**
 * Returns the numbers of a week that is computed again, with those that only its first record knew: users and members of that time, and
 * evaluations whose counts have expired.
 */
export function keepRecorded(trend: WeekTrend, { name, end }: IsoWeek, items: readonly (Key & WeekItem)[]): WeekTrend {
  const item = items.find(({ sk }) => sk === name);
  if (item === undefined || item.until < end) return trend;
  const { users, projects: recorded } = parseWeek(item);
  const ids = Object.keys({ ...trend.projects, ...recorded });
  const projects = ids.flatMap((id): [string, ProjectTrend][] => {
    const project = trend.projects[id];
    const { users: members, metrics = project?.metrics } = recorded[id] ?? {};
    if (project === undefined) return [];
    return [
      [id, { ...project, ...(members !== undefined && { users: members }), ...(metrics !== undefined && { metrics }) }],
    ];
  });
  return { users, projects: Object.fromEntries(projects) };
}
