import type { Request } from '../request.ts';
import { readEventLog } from './event-log.ts';

/** The number of events on one day. */
export interface DailyActivity {
  /** The day in UTC, such as 2026-01-31. */
  readonly date: string;
  readonly count: number;
}

const dayMs = 86_400_000;
const days = 365;
/** The most changes, of all projects, that are read. */
const activityChangesMax = 10_000;

/**
 * Counts the events of a project per day of the last year, oldest first, without days that had none. It reads at most the newest
 * 10,000 changes of all projects, and may lag behind them by a moment.
 */
export async function countDailyActivity(request: Request, project: string, at: number): Promise<DailyActivity[]> {
  const counts = new Map<string, number>();
  const from = new Date(at - days * dayMs).toISOString();
  for await (const page of readEventLog(request, { from, changes: activityChangesMax })) {
    for (const event of page) {
      if (event.project !== project) continue;
      const date = event.createdAt.slice(0, 10);
      counts.set(date, (counts.get(date) ?? 0) + 1);
    }
  }
  return [...counts].map(([date, count]) => ({ date, count })).toReversed();
}
