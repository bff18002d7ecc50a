import type { Request } from '../request.ts';
import type { Actor } from './actor.ts';
import { changeRequestGroup } from './event-group-schema.ts';
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
  /** The change request with which it happened. */
  readonly changeRequest?: number;
}

/** Gives events their numbers, in their order, and their author and time, which all events of one change share. */
export function stamp(events: readonly NewEvent[], firstId: number, actor: Actor, at: string): Event[] {
  return events.map(({ type, project, environment, featureName, data, preData, changeRequest }, index) => ({
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
    ...(changeRequest !== undefined && groupOf(changeRequest)),
  }));
}

/** Returns the events of a request as those of the override by which it was let through, if it was by one. */
export function underOverride({ gate }: Pick<Request, 'gate'>, events: readonly Event[]): readonly Event[] {
  const override = gate.overrideId();
  return override === undefined ? events : events.map((event) => ({ ...groupOf(override), ...event }));
}

function groupOf(changeRequest: number) {
  return { groupType: changeRequestGroup, groupId: `${changeRequestGroup}-${changeRequest}` } as const;
}

/** The mark of an event that another server has recorded, and that was taken over: its id there. */
export const importedMark = (sourceId: number) => ({ importedEvent: sourceId });

/** Tells whether another server has recorded an event, so that those who wanted to hear of it have heard. */
export function isImported({ data, preData }: Pick<Event, 'data' | 'preData'>): boolean {
  return 'importedEvent' in { ...preData, ...data };
}
