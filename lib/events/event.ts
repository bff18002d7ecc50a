import type { Actor } from './actor.ts';
import type { Event, EventType } from './event-schema.ts';

type Data = Readonly<Record<string, unknown>>;

/** Event that has no id yet. */
export interface NewEvent {
  readonly type: EventType;
  readonly project?: string;
  readonly environment?: string;
  readonly featureName?: string;
  readonly data?: Data;
  readonly preData?: Data | null;
}

/** Gives events their numbers, in their order, and their author and time, which all events of one change share. */
export function stamp(events: readonly NewEvent[], firstId: number, actor: Actor, at: string): Event[] {
  return events.map(({ type, project, environment, featureName, data, preData }, index) => ({
    id: firstId + index,
    createdAt: at,
    type,
    createdBy: actor.name,
    createdByUserId: actor.id,
    environment: environment ?? null,
    project: project ?? null,
    featureName: featureName ?? null,
    data: data ?? null,
    preData: preData ?? null,
    tags: [],
  }));
}
