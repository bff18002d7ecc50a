import type { Request } from '../request.ts';
import type { Key } from '../store/client/definition.ts';
import { queryAll } from '../store/read.ts';
import type { IsoWeek } from '../values/iso-week.ts';
import * as trendKeys from './keys.ts';
import { type ProjectTrend, parseWeek, type WeekItem, type WeekTrend } from './trend-items.ts';

/**
 * The time after the end of a week at which its numbers become final. By then, its last events are in the index, and the last reports
 * of SDKs in the store.
 */
export const settledMs = 60 * 60 * 1_000;

/** Loads the items of all weeks from a named one on, in one round trip unless they exceed 1 MB. */
export function loadWeekItems(request: Request, from = ' '): Promise<(Key & WeekItem)[]> {
  return queryAll<Key & WeekItem>(request, trendKeys.weeksFrom(from));
}

/**
 * Returns the numbers of a week. If they were final before and are computed again, they keep those that only the first record knew: users
 * and members of that time, and evaluations whose counts have expired.
 */
export function keepRecorded(trend: WeekTrend, { name, end }: IsoWeek, items: readonly (Key & WeekItem)[]): WeekTrend {
  const item = items.find(({ sk }) => sk === name);
  if (item === undefined || item.until < end + settledMs) return trend;
  const { users, projects: recorded } = parseWeek(item);
  const projects = Object.entries(trend.projects).map(([id, project]): [string, ProjectTrend] => {
    const { users: members, metrics } = recorded[id] ?? {};
    return [id, { ...project, ...(members !== undefined && { users: members }), ...(metrics && { metrics }) }];
  });
  return { users, projects: Object.fromEntries(projects) };
}
