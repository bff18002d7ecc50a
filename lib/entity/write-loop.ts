import type { Actor } from '../events/actor.ts';
import type { NewEvent } from '../events/event.ts';
import { EventIdPool, noEventIds, takeEventIds } from '../events/event-ids.ts';
import type { Request } from '../request.ts';
import type { Key } from '../store/client/definition.ts';
import { packUnits, type Unit } from '../store/pack.ts';
import { retrySerially } from '../store/transactions/retry.ts';
import { transact } from '../store/transactions/transact.ts';
import type { Write } from '../store/transactions/write.ts';
import { commitPacks, finishedUnits, packChanges } from './commit-units.ts';
import { type DecidedSteps, type StampedStep, type Stamping, stampClosing, stampSteps } from './stamp-steps.ts';
import type { FlagRequest, Step } from './step.ts';
import { untilRepeated } from './until-repeated.ts';

/**
 * The way in which steps are stored:
 * - `once`: all in one transaction.
 * - `stages`: in one transaction where they fit; else stage after stage, the transactions of a stage in flight together.
 * - `rounds`: as `stages`, but everything is read and decided again after each stage.
 * - `sequence`: one transaction after the other, as the steps come.
 */
type Storing = 'once' | 'stages' | 'rounds' | 'sequence';

/** A decision: the steps that it takes, and the result of the change. */
export interface Decided<Result> extends DecidedSteps {
  readonly result: Result;
  /** An event that the last transaction adds, if the change writes anything. */
  readonly closing?: NewEvent;
  /** True where more is left to decide on when these steps are stored. */
  readonly isPart?: boolean;
}

/** A change: what it reads, what it decides, and how that is stored. */
export interface WriteLoop<Found, Result> {
  readonly storing: Storing;
  /** The items that it depends on. After a first conflict, writers of one of them in one process queue. */
  readonly of: readonly Key[];
  /** The number of events to expect, 1 by default; a change with more of them takes another request. */
  readonly likelyEvents?: number | undefined;
  readonly read: () => Promise<Found>;
  /**
   * Decides without changing anything: another attempt decides again from what it finds.
   * @param at the time of all events.
   * @param finished the names of steps that earlier, interrupted runs of the same request have stored.
   */
  readonly decide: (
    found: Found,
    at: string,
    finished: ReadonlySet<string>,
  ) => Decided<Result> | Promise<Decided<Result>>;
  /** Returns further writes of the n-th transaction of a sequence, counted from 0. */
  readonly besides?: (found: Found, n: number) => readonly Write[];
  /** Called with the steps of each stored transaction of a sequence. */
  readonly onStored?: (steps: readonly Step[]) => void;
}

/**
 * Author of a change, or the one who turns out to be permitted by what it reads. The caller of an endpoint that declares no
 * `permission` is none: it is undefined.
 */
export type AuthorOf<Found> = Actor | ((found: Found) => Actor);

/** The attempts so far. */
interface Progress {
  /** Ids under which nothing is stored yet. */
  ids: Promise<EventIdPool> | undefined;
  hasStored: boolean;
}

/** A decision with its events numbered, as it is to be stored. */
interface Storable<Result> {
  readonly steps: readonly StampedStep[];
  /** Writes of the event that closes the change. */
  readonly closing: readonly Write[];
  readonly result: Result;
}

/**
 * Reads, decides and writes, and decides again from the new state where another writer was faster, until all is stored. Every
 * change goes this way, so that its state, its events, what follows from them, and the answer for a repeated request are stored
 * together.
 * @throws ApiError what `read`, the choice of an author and `decide` throw; 400 for more than the store can hold or carry out
 * together; 503 where the items stay contended for seconds.
 */
export async function writeInLoop<Found, Result>(
  request: Request | FlagRequest,
  author: AuthorOf<Found>,
  loop: WriteLoop<Found, Result>,
): Promise<Result> {
  const progress: Progress = { ids: undefined, hasStored: false };
  for (;;) {
    const { isComplete, result } = await retrySerially(request, loop.of, () =>
      attempt(request, author, loop, progress),
    );
    if (isComplete) return result;
  }
}

async function attempt<Found, Result>(
  request: Request | FlagRequest,
  author: AuthorOf<Found>,
  loop: WriteLoop<Found, Result>,
  progress: Progress,
): Promise<{ readonly isComplete: boolean; readonly result: Result }> {
  // Taken while the first attempt reads, not while it waits for its turn, when other writers may take higher ones. Asked for
  // first: an embedded store then reads in the same transaction.
  progress.ids ??= takePool(request, loop.likelyEvents);
  const [ids, found] = await Promise.all([progress.ids, loop.read()]);
  ids.giveBack();
  const isOfParts = loop.storing === 'stages' || loop.storing === 'rounds';
  // After the read: versions show what another run of the request changes later.
  const finished = isOfParts ? await finishedUnits(request) : none;
  progress.hasStored ||= finished.size > 0;
  const actor = typeof author === 'function' ? author(found) : author;
  const at = new Date().toISOString();
  const decided = await loop.decide(found, at, finished);
  const { result, isPart = false } = decided;
  if (loop.storing === 'sequence') {
    await storeInSequence(request, loop, found, decided, { ids, actor, at }, progress);
    return { isComplete: !isPart, result };
  }
  const steps = await stampSteps(request, decided, { ids, actor, at });
  if (steps.length === 0 && !(progress.hasStored && decided.closing)) return { isComplete: !isPart, result };
  const closing = decided.closing === undefined ? [] : await stampClosing(request, decided.closing, { ids, actor, at });
  if (loop.storing === 'once') {
    await transact(request, [...writesOf(steps), ...closing], result);
    return { isComplete: !isPart, result };
  }
  const isStored = await storeStages(request, loop, { steps, closing, result }, progress);
  return { isComplete: isStored && !isPart, result };
}

const none: ReadonlySet<string> = new Set();

async function takePool(request: Request, likelyEvents = 1): Promise<EventIdPool> {
  return new EventIdPool(request, likelyEvents === 0 ? noEventIds : await takeEventIds(request, likelyEvents));
}

/** @returns false where a stage is left, for another round. */
async function storeStages<Result>(
  request: Request,
  { storing }: Pick<WriteLoop<never, Result>, 'storing'>,
  { steps, closing, result }: Storable<Result>,
  progress: Progress,
): Promise<boolean> {
  const packsOf = (some: readonly StampedStep[]) => packChanges(request, some, closing.length);
  const stageOf = ({ step }: StampedStep) => step.stage ?? 1;
  const inOrder = steps.toSorted((a, b) => stageOf(a) - stageOf(b));
  const whole = packsOf(inOrder);
  if (whole.length <= 1) {
    await transact(request, [...writesOf(whole.flat()), ...closing], result);
    return true;
  }
  const stages = [...Map.groupBy(inOrder, stageOf).values()].map(packsOf);
  const now = storing === 'rounds' ? stages.slice(0, 1) : stages;
  const isLast = now.length === stages.length;
  // The event that closes the change is there exactly when all else is.
  const last = isLast && closing.length > 0 ? (now.at(-1)?.pop() ?? []) : [];
  for (const packs of now) {
    // Some may be stored even if another one fails; their ids are used then.
    progress.ids = undefined;
    await commitPacks(request, packs, () => {
      progress.hasStored = true;
    });
  }
  if (isLast && closing.length > 0) await transact(request, [...writesOf(last), ...closing], result);
  return isLast;
}

/** Room that each transaction of a sequence keeps for counts, for marks, and for what is written besides. */
const sequenceWrites = 4;

async function storeInSequence<Found, Result>(
  request: Request | FlagRequest,
  { besides = () => [], onStored = () => {} }: WriteLoop<Found, Result>,
  found: Found,
  { steps, budget }: DecidedSteps,
  stamping: Stamping,
  progress: Progress,
): Promise<void> {
  progress.ids = undefined;
  let stored = 0;
  for await (const chunk of steps) {
    const stamped = await stampSteps(request, { steps: [chunk], budget }, stamping);
    for (const pack of untilRepeated(stamped).flatMap((some) => packUnits(some, sequenceWrites))) {
      await transact(request, [...besides(found, stored), ...writesOf(pack)], undefined);
      onStored(pack.map(({ step }) => step));
      stored += 1;
    }
  }
}

function writesOf(units: readonly Unit[]): Write[] {
  return units.flatMap(({ writes }) => writes);
}
