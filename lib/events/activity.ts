import type { Request } from '../request.ts';
import { loggedEvents } from './event-log.ts';

/** Activity of one day. */
export interface DayOfActivity {
  /** Such as 2026-01-31, in UTC. */
  readonly date: string;
  readonly count: number;
}

const dayMs = 86_400_000;
const days = 365;
/** Limit of the changes, of all projects, that are searched. */
const activityChangesMax = 10_000;

/**
 * Counts the events of a project on each day of the last year that had any, oldest first. It searches the newest 10,000
 * changes of all projects, and may lag behind them by a moment.
 */
export async function activityOf(request: Request, project: string, at: number): Promise<DayOfActivity[]> {
  const counts = new Map<string, number>();
  const from = new Date(at - days * dayMs).toISOString();
  for await (const page of loggedEvents(request, { from, changes: activityChangesMax })) {
    for (const event of page) {
      if (event.project !== project) continue;
      const date = event.createdAt.slice(0, 10);
      counts.set(date, (counts.get(date) ?? 0) + 1);
    }
  }
  return [...counts].map(([date, count]) => ({ date, count })).toReversed();
}
