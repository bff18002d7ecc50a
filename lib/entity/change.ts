import { ApiError } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import { type NewEvent, stamp, underOverride } from '../events/event.ts';
import { type EventIds, sufficientEventIds, takeEventIds } from '../events/event-ids.ts';
import { serviceEventWrites } from '../events/event-items.ts';
import type { Event } from '../events/event-schema.ts';
import type { Request } from '../request.ts';
import type { Key } from '../store/client/definition.ts';
import { retrySerially } from '../store/transactions/retry.ts';
import { transact } from '../store/transactions/transact.ts';
import type { Versions } from '../store/transactions/versioned.ts';
import type { Write } from '../store/transactions/write.ts';

/** Writes, with the events that record them: all or none of them are stored. */
export interface Effects {
  readonly writes: readonly Write[];
  readonly events: readonly NewEvent[];
}

/** The effects of a decision that nothing is to be stored. */
export const noEffects: Effects = { writes: [], events: [] };

/** The outcome of a decision. Without writes and events, nothing is stored. */
export interface Decision<Result> extends Effects {
  /** The result of the request; its receipt keeps it for a repeat. */
  readonly result: Result;
  /** Writes the events under their ids; as events of the service where this is left out. */
  readonly record?: (events: readonly Event[]) => readonly Write[];
}

/** Effects of one transaction, in the given order. */
export function together(all: readonly Effects[]): Effects {
  return { writes: all.flatMap(({ writes }) => writes), events: all.flatMap(({ events }) => events) };
}

/** A change: what it reads, and what it makes of it. */
export interface Change<Found, Result> {
  /** The items that it rests on. Writers of one of them that share a process take turns once they have met. */
  readonly of: readonly Key[];
  /** The name of the changed thing in errors, e.g. `feature "checkout"`. */
  readonly what?: string;
  /** The number of events to expect; a change with more of them takes another request. */
  readonly likelyEvents?: number;
  readonly read: () => Promise<Found>;
  /**
   * Returns the revision of the thing that the caller's `If-Match` is about; undefined where there is none. The ids of
   * the events rise above its last one: another writer may come between an id that is taken and what is read beside it.
   */
  readonly revisionOf: (found: Found) => Versions | undefined;
  /**
   * The thing that `If-Match` is about, if it is not the one that is changed; the writes have to hold the change to it.
   */
  readonly expected?: { readonly what: string; readonly revisionOf: (found: Found) => Versions | undefined };
  /**
   * Pure: another attempt decides again from what it finds.
   * @param at when all of it happens.
   */
  readonly decide: (found: Found, at: string) => Decision<Result>;
}

/**
 * Author of a change, or the one who turns out to be permitted by what it reads. The caller of an endpoint that declares no
 * `permission` is none: it is undefined.
 */
export type AuthorOf<Found> = Actor | ((found: Found) => Actor);

/**
 * Reads, decides and writes, and decides again from the new state where another writer was faster. State, events and
 * the answer for a repeated request are one transaction.
 * @throws ApiError what `read`, the choice of an author and `decide` throw; 412 where the caller expects another version than there is; 400 for
 * more than a transaction holds; 503 where the items stay contended for seconds.
 */
export function change<Found, Result>(
  request: Request,
  author: AuthorOf<Found>,
  { of, what, likelyEvents = 1, read, revisionOf, expected, decide }: Change<Found, Result>,
): Promise<Result> {
  let taken: Promise<EventIds> | undefined;
  return retrySerially(request, of, async () => {
    // Taken while the first attempt reads, not while it waits for its turn, when other writers may take higher ones. An
    // attempt that lost a race has used none of them. Asked for first: an embedded store then reads in the same transaction.
    taken ??= takeEventIds(request, likelyEvents);
    const [ids, found] = await Promise.all([taken, read()]);
    const actor = typeof author === 'function' ? author(found) : author;
    const at = new Date().toISOString();
    const { writes, events, result, record = serviceEventWrites } = decide(found, at);
    // After the decision: a request that fails anyway ignores the precondition (RFC 9110, section 13.2.1).
    const revision = revisionOf(found);
    requireExpected(request, (expected ? expected.revisionOf(found) : revision)?.version, expected?.what ?? what);
    if (writes.length + events.length === 0) return result;
    taken = sufficientEventIds(request, ids, events.length, revision?.lastEventId ?? 0);
    const { first } = await taken;
    const numbered =
      events.length === 0 ? writes : writes.map((write) => withLastEvent(write, first + events.length - 1));
    const stamped = underOverride(request, stamp(events, first, actor, at));
    await transact(request, [...numbered, ...record(stamped)], result);
    return result;
  });
}

/** Stores the last event with anything that has a version, so that the events of its next change get higher ids. */
function withLastEvent(write: Write, lastEventId: number): Write {
  if (!('item' in write && 'version' in write.item)) return write;
  return { ...write, item: { ...write.item, lastEventId } };
}

/** @throws ApiError 412 where the version is none of those that the caller expects. */
function requireExpected({ expectedVersions }: Request, version: number | undefined, what: string | undefined): void {
  if (expectedVersions === undefined || (version !== undefined && expectedVersions.has(version))) return;
  const thing = what === undefined ? 'It' : `The ${what}`;
  throw new ApiError('PreconditionFailed', `${thing} was changed after you read it; read it again.`);
}

/**
 * Each of several things with its events among its writes, as events of the service.
 * @param firstId the id of the first event; the others follow it in the order of the things.
 */
export function withEvents<T extends Effects>(things: readonly T[], firstId: number, actor: Actor, at: string): T[] {
  let next = firstId;
  return things.map((thing) => {
    const stamped = stamp(thing.events, next, actor, at);
    next += stamped.length;
    return { ...thing, writes: [...thing.writes, ...serviceEventWrites(stamped)] };
  });
}
