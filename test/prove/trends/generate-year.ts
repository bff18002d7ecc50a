import { featureEventWrites, serviceEventWrites } from '../../../lib/events/event-items.ts';
import type { Event, EventType } from '../../../lib/events/event-schema.ts';
import type { Request } from '../../../lib/request.ts';
import * as keys from '../../../lib/store/keys.ts';
import { raiseCounter, transact } from '../../../lib/store/transactions/transact.ts';
import { countInProjectWeek, recordNamesInProjectWeek } from '../../../lib/usage/project-weeks.ts';
import { UsageBuffer } from '../../../lib/usage/usage-buffer.ts';
import { chunksOf } from '../../../lib/values/lists.ts';

export const dayMs = 86_400_000;

/** The evaluations that an application reports about a flag. */
export interface WeekReport {
  readonly project: string;
  readonly at: number;
  readonly appName: string;
  readonly featureName: string;
  readonly environment: string;
  readonly yes: number;
  readonly no: number;
}

/** The events and reports of a year, oldest first. */
export interface Year {
  readonly events: readonly Event[];
  readonly reports: readonly WeekReport[];
}

export interface YearSize {
  readonly projects: readonly string[];
  readonly flags: number;
  readonly reports: number;
  /** The end of the year, in milliseconds since 1970. */
  readonly now: number;
}

const flagTypes = ['release', 'experiment', 'operational', 'kill-switch', 'permission', 'sunset'];
const environmentNames = ['development', 'production'];

/** Generates lives of flags and users: flags are created, changed, moved, archived, revived, deleted, and created again. */
export function generateYear(random: () => number, { projects, flags, reports, now }: YearSize): Year {
  const start = now - 370 * dayMs;
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const events: Omit<Event, 'id'>[] = [];
  const note = (at: number, type: EventType, more: Partial<Event>) => {
    const base = { environment: null, project: null, featureName: null, data: null, preData: null, tags: [] };
    const author = { createdBy: 'somebody', createdByUserId: 1 };
    events.push({ ...base, ...author, ...more, type, createdAt: new Date(at).toISOString() });
  };
  for (let number = 0; number < flags; number += 1) {
    const featureName = `flag-${number}`;
    let at = start + random() * 365 * dayMs;
    let project = pick(projects);
    let isArchived = false;
    const place = () => ({ featureName, project });
    const create = () => {
      const createdAt = new Date(at).toISOString();
      note(at, 'feature-created', { ...place(), data: { name: featureName, type: pick(flagTypes), createdAt } });
    };
    create();
    for (let change = 0; change < 12; change += 1) {
      at += random() * 20 * dayMs;
      if (at > now) break;
      const chance = random();
      const environment = pick(environmentNames);
      if (isArchived) {
        if (chance < 0.4) note(at, 'feature-revived', place());
        else note(at, 'feature-deleted', place());
        isArchived = false;
        if (chance >= 0.4) create();
      } else if (chance < 0.3) note(at, 'feature-environment-enabled', { ...place(), environment });
      else if (chance < 0.4) note(at, 'feature-environment-disabled', { ...place(), environment });
      else if (chance < 0.6) note(at, 'feature-strategy-add', { ...place(), environment, data: { name: 'default' } });
      else if (chance < 0.7) note(at, 'feature-stale-on', place());
      else if (chance < 0.74) note(at, 'feature-stale-off', place());
      else if (chance < 0.8) note(at, 'feature-metadata-updated', { ...place(), data: { type: pick(flagTypes) } });
      else if (chance < 0.86) {
        project = pick(projects);
        note(at, 'feature-project-change', place());
      } else {
        note(at, 'feature-archived', place());
        isArchived = true;
      }
    }
  }
  for (let id = 100_000; id < 100_000 + flags / 20; id += 1) {
    const at = start + random() * 365 * dayMs;
    note(at, 'user-created', { data: { id } });
    if (random() < 0.3) note(at + random() * (now - at), 'user-deleted', { preData: { id } });
  }
  const sorted = events.toSorted((a, b) => a.createdAt.localeCompare(b.createdAt));
  return {
    events: sorted.map((event, index) => ({ ...event, id: index + 1 })),
    reports: Array.from({ length: reports }, () => ({
      project: pick(projects),
      at: start + random() * (now - start),
      appName: `app-${Math.floor(random() * 20)}`,
      featureName: `flag-${Math.floor(random() * 50)}`,
      environment: pick(environmentNames),
      yes: Math.floor(random() * 1_000),
      no: Math.floor(random() * 1_000),
    })),
  };
}

const writesAtOnce = 50;

/** Stores the events and the counts of the reports. */
export async function storeYear(request: Request, { events, reports }: Year): Promise<void> {
  const last = await raiseCounter(request, keys.counter('event'), events.length);
  const counts = new Map<string, number>();
  const writes = events.flatMap((event) => {
    const stored = { ...event, id: last - events.length + event.id };
    if (event.featureName === null) return serviceEventWrites([stored]);
    const eventCount = counts.get(event.featureName) ?? 0;
    counts.set(event.featureName, eventCount + 1);
    return featureEventWrites(event.featureName, [stored], { eventCount }, []);
  });
  for (const chunk of chunksOf(writes, writesAtOnce)) await transact(request, chunk, undefined);
  const buffer = new UsageBuffer(request.store);
  for (const { at, project, ...report } of reports) {
    const reported = { ...report, hour: new Date(at).toISOString().slice(0, 13), variants: {} };
    countInProjectWeek(buffer, project, reported, new Date(at));
    recordNamesInProjectWeek(buffer, project, reported, new Date());
  }
  await buffer.flush(request);
}
