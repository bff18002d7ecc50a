import type { Request } from '../request.ts';
import type { Actor } from './actor.ts';
import type { Event, EventType } from './event-schema.ts';

type Data = Readonly<Record<string, unknown>>;

/** An event that has no id yet. */
export interface NewEvent {
  readonly type: EventType;
  readonly project?: string;
  readonly environment?: string;
  readonly featureName?: string;
  readonly data?: Data;
  readonly preData?: Data | null;
  /** The id of the change request that the event belongs to. */
  readonly changeRequest?: number;
}

/** Gives the events of a change consecutive ids, in their order, and one author and time. */
export function stampEvents(events: readonly NewEvent[], firstId: number, actor: Actor, at: string): Event[] {
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
    ...(actor.agent && { agent: actor.agent }),
  }));
}

/** Puts the events of a request into the group of the override that permitted the request, if any. */
export function groupUnderOverride({ gate }: Pick<Request, 'gate'>, events: readonly Event[]): readonly Event[] {
  const override = gate.overrideId();
  return override === undefined ? events : events.map((event) => ({ ...groupOf(override), ...event }));
}

function groupOf(changeRequest: number) {
  return { groupType: 'change-request', groupId: `change-request-${changeRequest}` } as const;
}

/** Returns the `data` by which an imported event is recognized: its id on the server that recorded it. */
export const buildSourceEventData = (sourceId: number) => ({ importedEvent: sourceId });

/** Tells whether an event was imported from another server, which has already notified its integrations. */
export function isImported({ data, preData }: Pick<Event, 'data' | 'preData'>): boolean {
  return 'importedEvent' in { ...preData, ...data };
}
