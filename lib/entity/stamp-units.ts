import type { Actor } from '../events/actor.ts';
import { groupUnderOverride, type NewEvent, stampEvents } from '../events/event.ts';
import type { EventIdPool } from '../events/event-ids.ts';
import { serviceEventWrites } from '../events/event-items.ts';
import type { Request } from '../request.ts';
import type { Unit } from '../store/batch.ts';
import type { Write } from '../store/transactions/write.ts';
import type { ChangeUnit, FlagRequest } from './effects.ts';

/** The author and the time of events, and their ids. */
export interface Stamping {
  readonly actor: Actor;
  readonly at: string;
  readonly ids: EventIdPool;
  /** The number of ids to keep behind those of each chunk, for an event that follows all. */
  readonly spare?: number;
}

/** A step with its events among its writes. */
export interface StampedUnit extends Unit {
  readonly step: ChangeUnit;
}

/**
 * Gives the events of steps ids in a row. Steps that write nothing are left out.
 * @param onError is called where the store cannot hold a step, which is left out then.
 * @throws ApiError 400 where the store cannot hold a step, without `onError`.
 */
export async function stampUnits(
  request: Request,
  all: readonly ChangeUnit[],
  { ids, actor, at, spare }: Stamping,
  onError = (error: unknown): void => {
    throw error;
  },
): Promise<StampedUnit[]> {
  const steps = all.filter(({ writes, events, record }) => writes.length + events.length > 0 || record !== undefined);
  const count = steps.reduce((sum, { events }) => sum + events.length, 0);
  const above = Math.max(0, ...steps.map(({ lastEventId = 0 }) => lastEventId));
  let nextId = count === 0 ? 0 : await ids.next(count, above, spare);
  return steps.flatMap((step): StampedUnit[] => {
    const { what, writes, events, record = serviceEventWrites } = step;
    const stamped = groupUnderOverride(request, stampEvents(events, nextId, actor, at));
    nextId += events.length;
    const numbered = events.length === 0 ? writes : writes.map((write) => withLastEvent(write, nextId - 1));
    try {
      return [{ what, writes: [...numbered, ...record(stamped)], step }];
    } catch (error) {
      onError(error);
      return [];
    }
  });
}

/** Notes the last event on an item with a version, so that the events of its next change get higher ids. */
function withLastEvent(write: Write, lastEventId: number): Write {
  if (!('item' in write && 'version' in write.item)) return write;
  return { ...write, item: { ...write.item, lastEventId } };
}

/**
 * Returns the steps that follow from others. They are of stage 0, before all others: no schedule may start between a change and
 * its suspension.
 */
export async function loadFollowingUnits(
  request: Request | FlagRequest,
  steps: readonly ChangeUnit[],
): Promise<ChangeUnit[]> {
  const affecting = steps.filter(({ flag }) => flag?.schedules !== undefined);
  if (affecting.length === 0) return [];
  if (!('effectsOf' in request)) throw new Error('A request that changes flags must say what follows from that.');
  return (await request.effectsOf(request, affecting)).map((step) => ({ ...step, stage: 0 }));
}

/** Returns the writes of all steps, in their order. */
export function writesOf(steps: readonly Unit[]): Write[] {
  return steps.flatMap(({ writes }) => writes);
}

/** Returns the writes of an event that comes after those of all steps. */
export async function stampFinalEvent(
  request: Request,
  event: NewEvent,
  { ids, actor, at }: Stamping,
): Promise<readonly Write[]> {
  return serviceEventWrites(groupUnderOverride(request, stampEvents([event], await ids.next(1, 0), actor, at)));
}
