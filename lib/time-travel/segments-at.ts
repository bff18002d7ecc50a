import { type EventsAfter, loadEventsAfter } from '../events/event-log.ts';
import { type Request, withAllProjects } from '../request.ts';
import type { ShownSegment } from '../segments/segment-schema.ts';
import { segments } from '../segments/segments.ts';

/** A segment as SDKs get it. */
export type EarlierSegment = Pick<ShownSegment, 'id' | 'name' | 'constraints'>;

/** Segments at a moment. */
export interface RebuiltSegments {
  /** The segments that existed, by id. */
  readonly segments: ReadonlyMap<number, EarlierSegment>;
  /** The reasons why their content may be wrong; empty if it is exact. */
  readonly doubts: readonly string[];
}

/** The types of events that change segments. */
export const segmentEvents: ReadonlySet<string> = new Set(['segment-created', 'segment-updated', 'segment-deleted']);

/**
 * Rebuilds segments at a time, from their present content and the events since then.
 * @param until the last millisecond that belongs to the moment.
 */
export async function rebuildSegments(
  request: Request,
  ids: readonly number[],
  until: string,
): Promise<RebuiltSegments> {
  if (ids.length === 0) return { segments: new Map(), doubts: [] };
  const all = withAllProjects(request);
  const [present, since] = await Promise.all([segments.findSome(all, ids), loadEventsAfter(all, until, segmentEvents)]);
  return undoSegments(ids, present, since);
}

/**
 * Rebuilds segments from their present content and the events since a moment. Pure.
 * @param since the events since then, of segments and maybe others, newest first.
 */
export function undoSegments(
  ids: readonly number[],
  present: ReadonlyMap<number, EarlierSegment>,
  { events, isComplete }: Pick<EventsAfter, 'events' | 'isComplete'>,
): RebuiltSegments {
  const states = new Map<number, EarlierSegment>();
  for (const id of ids) {
    const segment = present.get(id);
    if (segment !== undefined) states.set(id, readSegment(segment));
  }
  const wanted = new Set(ids);
  for (const { type, data, preData } of events) {
    const { id } = (preData ?? data ?? {}) as { readonly id?: number };
    if (!segmentEvents.has(type) || id === undefined || !wanted.has(id)) continue;
    if (type === 'segment-created') states.delete(id);
    else states.set(id, readSegment(preData as unknown as EarlierSegment));
  }
  const doubts = isComplete
    ? []
    : ['The service has changed more than 20,000 times since then, so segments have their content of a later moment.'];
  return { segments: states, doubts };
}

function readSegment({ id, name, constraints }: EarlierSegment): EarlierSegment {
  return { id, name, constraints };
}
