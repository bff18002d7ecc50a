import { setImmediate as turn } from 'node:timers/promises';
import { ApiError } from '../../errors.ts';
import { systemUser } from '../../events/actor.ts';
import { stamp } from '../../events/event.ts';
import { takeEventIds } from '../../events/event-ids.ts';
import { serviceEventWrites } from '../../events/event-items.ts';
import type { Request } from '../../request.ts';
import { packUnits, type Unit } from '../../store/pack.ts';
import { mergeWrites } from '../../store/transactions/merge-writes.ts';
import { retryLostRaces } from '../../store/transactions/retry.ts';
import { transact } from '../../store/transactions/transact.ts';
import { itemProblems } from '../../store/transactions/write.ts';
import { untilRepeated } from '../until-repeated.ts';
import { movedKinds } from './kinds.ts';
import {
  amountIn,
  type Decided,
  type PlannedKind,
  type Remark,
  refusalWords,
  type ServerKind,
  type ServerMigration,
  type Step,
} from './plan.ts';
import type { SourceContent } from './source.ts';
import { KnownHere } from './world.ts';

/** Room that each transaction keeps for counts and marks. */
const commonWrites = 4;

/** Called as a kind goes on. */
type OnDone = (kind: string, done: number) => void;

interface RunOptions {
  /** Address of the server, under which the store remembers what came from it. */
  readonly from: string;
  readonly isWriting: boolean;
  /** True to delete things that came from there, are gone there, and were not changed here since. */
  readonly isPruning?: boolean;
  readonly onDone?: OnDone;
}

/**
 * Brings the contents of a server into the store, thing by thing, each with its events, or only plans to. What is the
 * same already is left alone; interrupted and called again, it completes.
 * @returns the outcome by kind, in the order in which things are made.
 */
export async function runMigration(
  request: Request,
  source: SourceContent,
  { onDone = () => {}, ...options }: RunOptions,
): Promise<PlannedKind[]> {
  const world = new KnownHere(!options.isWriting);
  const migration: ServerMigration = { request, source, isPruning: false, ...options, world };
  const outcomes: PlannedKind[] = [];
  for (const kind of movedKinds) {
    const outcome = await runKind(migration, kind, onDone);
    outcomes.push(outcome);
  }
  return outcomes;
}

async function runKind(migration: ServerMigration, kind: ServerKind, onDone: OnDone): Promise<PlannedKind> {
  const { request, isWriting } = migration;
  const outcome: PlannedKind = { kind: kind.title, created: [], changed: [], left: [], refused: [], remarks: [] };
  for await (const decide of kind.decisions(migration)) {
    // A step that was written before another one lost its race is left alone when it is decided again.
    const written: Step[] = [];
    let earlier = 0;
    const decided = await retryLostRaces(request, async () => {
      earlier = written.length;
      const found = withoutImpossible(await decide());
      if (!isWriting) return found;
      const failed = await commit(request, found.steps, (step) => written.push(step));
      return { ...found, refused: [...(found.refused ?? []), ...failed] };
    });
    for (const step of isWriting ? written : decided.steps) {
      if (step.outcome !== undefined) outcome[step.outcome].push(step.name);
    }
    const names = new Set(written.slice(0, earlier).map(({ name }) => name));
    outcome.left.push(...(decided.left ?? []).filter((name) => !names.has(name)));
    outcome.refused.push(...(decided.refused ?? []));
    outcome.remarks.push(...(decided.remarks ?? []));
    onDone(kind.title, amountIn(outcome));
    // Progress, and the signal that ends the process, get their turn.
    await turn();
  }
  if (isWriting) await kind.after?.(request);
  return outcome;
}

/** Refuses the steps that the store could not hold, as a plan has to say before anything is written. */
function withoutImpossible({ steps, refused = [], ...decided }: Decided): Decided {
  const problems = new Map(steps.map((step) => [step, problemOf(step)]));
  const more = steps.flatMap((step) => {
    const reason = problems.get(step);
    return reason === undefined ? [] : [{ name: step.name, reason }];
  });
  return {
    ...decided,
    steps: steps.filter((step) => problems.get(step) === undefined),
    refused: [...refused, ...more],
  };
}

function problemOf(step: Step): string | undefined {
  try {
    const unit = unitOf(step, 1);
    packUnits([unit], commonWrites);
    return itemProblems(unit.writes)[0]?.message;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return refusalWords(error);
  }
}

function unitOf({ name, writes, events, record = serviceEventWrites }: Step, firstId: number): Unit {
  const at = new Date().toISOString();
  return { what: name, writes: mergeWrites([...writes, ...record(stamp(events, firstId, systemUser, at))]) };
}

async function commit(request: Request, steps: readonly Step[], onCommit: (step: Step) => void): Promise<Remark[]> {
  const failed: Remark[] = [];
  for (const some of apart(steps)) {
    const [first] = some;
    if (first?.run !== undefined) {
      const reason = await first.run(request).then(() => undefined, refusalIn);
      if (reason === undefined) onCommit(first);
      else failed.push({ name: first.name, reason });
      continue;
    }
    const amount = some.reduce((sum, { events }) => sum + events.length, 0);
    let nextId = amount === 0 ? 0 : (await takeEventIds(request, amount)).first;
    const whole: (Step & Unit)[] = [];
    for (const step of some) {
      const further = (await step.besides?.(request)) ?? [];
      whole.push({ ...step, ...unitOf({ ...step, writes: [...step.writes, ...further] }, nextId) });
      nextId += step.events.length;
    }
    for (const pack of untilRepeated(whole).flatMap((run) => packUnits(run, commonWrites))) {
      await transact(
        request,
        pack.flatMap(({ writes }) => writes),
        undefined,
      );
      for (const step of pack) onCommit(step);
    }
  }
  return failed;
}

/** Returns the reason of an operation that refuses what it is asked for. */
function refusalIn(error: unknown): string {
  if (error instanceof ApiError && error.name !== 'ServiceUnavailable') return refusalWords(error);
  throw error;
}

/** Puts the steps that need something else before them, or write by themselves, apart from the others. */
function apart(steps: readonly Step[]): Step[][] {
  const runs: Step[][] = [];
  let isOpen = false;
  for (const step of steps) {
    const isAlone = step.run !== undefined || step.besides !== undefined;
    if (isOpen && !isAlone) runs.at(-1)?.push(step);
    else runs.push([step]);
    isOpen = !isAlone;
  }
  return runs;
}
