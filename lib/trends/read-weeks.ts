import { type LoggedEvent, loadEventsById, readChangesSince } from '../events/event-log.ts';
import type { Event } from '../events/event-schema.ts';
import type { Request } from '../request.ts';
import { splitIntoBatches } from '../store/batch.ts';
import { type IsoWeek, isoWeekAfter, isoWeekOf } from '../values/iso-week.ts';
import { applyEvent, needsContent, type PastState, type WeekActivity } from './past-state.ts';

/** The most contents of events in memory. */
const contentsMax = 100;

/** Older events, which can come from another server with a wrong clock, count in the week of this moment. */
const oldest = Date.UTC(2014, 0, 1);

/** A week at the moment at which the state includes its events, and none of later weeks. */
interface AppliedWeek {
  readonly week: IsoWeek;
  readonly activity: WeekActivity;
  /** The number of its events. */
  readonly events: number;
}

/**
 * Applies the events since a time to a state, oldest first, and yields after each week, up to that of `now`. Weeks without events are
 * included.
 * @param from the end of the last week in the state, in milliseconds since 1970; undefined to begin with the week of the oldest event.
 */
export async function* readWeeks(
  request: Request,
  from: number | undefined,
  state: PastState,
  now: number,
): AsyncGenerator<AppliedWeek> {
  let week = from === undefined ? undefined : isoWeekOf(from);
  let activity: WeekActivity = new Map();
  let count = 0;
  for await (const page of readChangesSince(request, from === undefined ? ' ' : new Date(from).toISOString())) {
    for (const chunk of splitIntoBatches(page.flat(), sizeOf, { count: contentsMax, bytes: 0 })) {
      const contents = await loadContents(request, chunk);
      for (const event of chunk) {
        const at = Date.parse(event.createdAt);
        // The clock of another process may be ahead.
        if (at > now) continue;
        week ??= isoWeekOf(Math.max(at, oldest));
        for (; week.end <= at; week = isoWeekAfter(week)) {
          yield { week, activity, events: count };
          [activity, count] = [new Map(), 0];
        }
        applyEvent(state, activity, event, contents.get(event.id));
        count += 1;
      }
    }
  }
  for (week ??= isoWeekOf(now); week.start <= now; week = isoWeekAfter(week)) {
    yield { week, activity, events: count };
    [activity, count] = [new Map(), 0];
  }
}

function sizeOf(event: LoggedEvent) {
  return { count: Number(needsContent(event)), bytes: 0 };
}

async function loadContents(request: Request, events: readonly LoggedEvent[]): Promise<ReadonlyMap<number, Event>> {
  const needed = events.filter(needsContent);
  return needed.length === 0 ? new Map() : loadEventsById(request, needed);
}
