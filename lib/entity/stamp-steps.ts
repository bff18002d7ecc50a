import { ApiError, type ErrorDetail, invalidRequest } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import { type NewEvent, stamp, underOverride } from '../events/event.ts';
import { EventIdPool } from '../events/event-ids.ts';
import { serviceEventWrites } from '../events/event-items.ts';
import type { Request } from '../request.ts';
import type { Unit } from '../store/pack.ts';
import type { Write } from '../store/transactions/write.ts';
import type { WriteBudget } from './commit-units.ts';
import type { FlagRequest, Step } from './step.ts';

/** The steps of a decision. */
export interface DecidedSteps {
  /** In chunks; each is asked for when the one before is stamped, so that no more is in memory than a request may write. */
  readonly steps: Iterable<readonly Step[]> | AsyncIterable<readonly Step[]>;
  /** Bounds the bytes that all steps write. */
  readonly budget?: WriteBudget | undefined;
}

/** The author and the time of events, and their ids. */
export interface Stamping {
  readonly actor: Actor;
  readonly at: string;
  readonly ids: EventIdPool;
}

/** A step with its events among its writes. */
export interface StampedStep extends Unit {
  readonly step: Step;
}

/**
 * Gives the events of steps their ids, and adds the steps that follow from these. Steps without writes and events are left out.
 * @throws ApiError 400 with all problems of the decision and of its steps.
 */
export async function stampSteps(
  request: Request | FlagRequest,
  { steps, budget }: DecidedSteps,
  stamping: Stamping,
): Promise<StampedStep[]> {
  const stamped: StampedStep[] = [];
  const affecting: Step[] = [];
  const problems: ErrorDetail[] = [];
  try {
    for await (const chunk of steps) {
      for (const one of await stampChunk(request, chunk, stamping, problems)) {
        budget?.spend(one.writes);
        stamped.push(one);
      }
      affecting.push(...chunk.filter(({ flag }) => flag?.schedules !== undefined));
    }
  } catch (error) {
    if (problems.length === 0) throw error;
    problems.push(...problemsIn(error));
  }
  if (problems.length > 0) throw invalidRequest(problems);
  if (affecting.length === 0) return stamped;
  if (!('effectsOf' in request)) throw new Error('A request that changes flags must say what follows from that.');
  const effects = await request.effectsOf(request, affecting);
  // Before the changes that they follow from: nothing that these suspend starts in between.
  const sooner = effects.map((effect) => ({ ...effect, stage: 0 }));
  return [...stamped, ...(await stampChunk(request, sooner, stamping, problems))];
}

/** Returns the writes of all steps, in their order. */
export function writesOf(steps: readonly Unit[]): Write[] {
  return steps.flatMap(({ writes }) => writes);
}

/** Returns the writes of an event that comes after those of all steps. */
export async function stampClosing(
  request: Request,
  event: NewEvent,
  { ids, actor, at }: Stamping,
): Promise<readonly Write[]> {
  return serviceEventWrites(underOverride(request, stamp([event], await ids.next(1, 0), actor, at)));
}

/**
 * Checks all that storing a decision would check before it asks the store.
 * @throws ApiError 400 with all problems of the decision and of its steps.
 */
export async function checkSteps(request: FlagRequest, actor: Actor, at: string, decided: DecidedSteps): Promise<void> {
  await stampSteps(request, decided, { ids: new EventIdPool(request, neverWritten), actor, at });
}

/** Ids of events that are never written, above all others. */
const neverWritten = { first: 2 ** 52, last: Number.MAX_SAFE_INTEGER };

/** Stamps some steps, with ids in a row. @param problems receives those of steps that the store could not hold. */
async function stampChunk(
  request: Request,
  chunk: readonly Step[],
  { ids, actor, at }: Stamping,
  problems: ErrorDetail[],
): Promise<StampedStep[]> {
  const steps = chunk.filter(({ writes, events, record }) => writes.length + events.length > 0 || record !== undefined);
  const count = steps.reduce((sum, { events }) => sum + events.length, 0);
  const lastEventId = Math.max(0, ...steps.map((step) => step.lastEventId ?? 0));
  let nextId = count === 0 ? 0 : await ids.next(count, lastEventId);
  return steps.flatMap((step): StampedStep[] => {
    const { what, writes, events, record = serviceEventWrites } = step;
    const lastId = nextId + events.length - 1;
    const stamped = underOverride(request, stamp(events, nextId, actor, at));
    nextId = lastId + 1;
    const numbered = events.length === 0 ? writes : writes.map((write) => withLastEvent(write, lastId));
    try {
      return [{ what, writes: [...numbered, ...record(stamped)], step }];
    } catch (error) {
      problems.push(...problemsIn(error));
      return [];
    }
  });
}

/** Stores the last event with anything that has a version, so that the events of its next change get higher ids. */
function withLastEvent(write: Write, lastEventId: number): Write {
  if (!('item' in write && 'version' in write.item)) return write;
  return { ...write, item: { ...write.item, lastEventId } };
}

/** Returns the details of a 400; other errors are thrown again. */
function problemsIn(error: unknown): readonly ErrorDetail[] {
  if (!(error instanceof ApiError) || error.name !== 'ValidationError') throw error;
  return error.details;
}
