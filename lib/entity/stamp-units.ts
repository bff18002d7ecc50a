import type { Actor } from '../events/actor.ts';
import { groupUnderOverride, type NewEvent, stampEvents } from '../events/event.ts';
import type { EventIdPool } from '../events/event-ids.ts';
import { serviceEventWrites } from '../events/event-items.ts';
import type { Request } from '../request.ts';
import type { Unit } from '../store/batch.ts';
import type { Write } from '../store/transactions/write.ts';
import type { ChangeUnit, FlagRequest } from './effects.ts';

/** The author, the time and the ids of events. */
export interface Stamping {
  readonly actor: Actor;
  readonly at: string;
  readonly ids: EventIdPool;
  /** The number of ids to reserve after those of each chunk, for a final event. */
  readonly spare?: number;
}

/** A unit whose writes include its events. */
export interface StampedUnit extends Unit {
  readonly unit: ChangeUnit;
}

/**
 * Gives the events of units consecutive ids, and adds them to the writes. Units that write nothing are omitted.
 * @param onError is called if a unit is too large for the store; the unit is then omitted. By default, it throws.
 * @throws ApiError 400 for a unit that is too large for the store.
 */
export async function stampUnits(
  request: Request,
  all: readonly ChangeUnit[],
  { ids, actor, at, spare }: Stamping,
  onError = (error: unknown): void => {
    throw error;
  },
): Promise<StampedUnit[]> {
  const units = all.filter(({ writes, events, record }) => writes.length + events.length > 0 || record !== undefined);
  const count = units.reduce((sum, { events }) => sum + events.length, 0);
  const above = Math.max(0, ...units.map(({ lastEventId = 0 }) => lastEventId));
  let nextId = count === 0 ? 0 : await ids.next(count, above, spare);
  return units.flatMap((unit): StampedUnit[] => {
    const { subject, writes, events, record = serviceEventWrites } = unit;
    const stamped = groupUnderOverride(request, stampEvents(events, nextId, actor, at));
    nextId += events.length;
    const ownWrites = events.length === 0 ? writes : writes.map((write) => withLastEvent(write, nextId - 1));
    try {
      return [{ subject, writes: [...ownWrites, ...record(stamped)], unit }];
    } catch (error) {
      onError(error);
      return [];
    }
  });
}

/** Adds the last event id to an item with a version, so that the events of its next change get higher ids. */
function withLastEvent(write: Write, lastEventId: number): Write {
  if (!('item' in write && 'version' in write.item)) return write;
  return { ...write, item: { ...write.item, lastEventId } };
}

/**
 * Returns the units that follow from others. They have stage 0, before all others: a schedule must be suspended before the change
 * that invalidates it is stored.
 */
export async function loadFollowingUnits(
  request: Request | FlagRequest,
  units: readonly ChangeUnit[],
): Promise<ChangeUnit[]> {
  const affecting = units.filter(({ flag }) => flag?.schedules !== undefined);
  if (affecting.length === 0) return [];
  if (!('effectsOf' in request)) throw new Error('A request that changes features or segments needs `effectsOf`.');
  return (await request.effectsOf(request, affecting)).map((unit) => ({ ...unit, stage: 0 }));
}

/** Returns the writes of all units, in their order. */
export function writesOf(units: readonly Unit[]): Write[] {
  return units.flatMap(({ writes }) => writes);
}

/** Returns the writes of an event that comes after those of all units. */
export async function stampFinalEvent(
  request: Request,
  event: NewEvent,
  { ids, actor, at }: Stamping,
): Promise<readonly Write[]> {
  return serviceEventWrites(groupUnderOverride(request, stampEvents([event], await ids.next(1, 0), actor, at)));
}
