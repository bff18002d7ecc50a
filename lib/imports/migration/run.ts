import { setImmediate as turn } from 'node:timers/promises';
import { withSuspension } from '../../change-requests/schedules/suspension.ts';
import type { ChangeUnit, FlagRequest } from '../../entity/effects.ts';
import { inSequence } from '../../entity/store-sequence.ts';
import { writeInLoop } from '../../entity/write-loop.ts';
import { ApiError } from '../../errors.ts';
import { systemUser } from '../../events/actor.ts';
import { stampEvents } from '../../events/event.ts';
import { serviceEventWrites } from '../../events/event-items.ts';
import type { Event } from '../../events/event-schema.ts';
import type { Request } from '../../request.ts';
import { packUnits } from '../../store/pack.ts';
import { mergeWrites } from '../../store/transactions/merge-writes.ts';
import { itemProblems, type Write } from '../../store/transactions/write.ts';
import { serverKinds } from './kinds.ts';
import {
  countThings,
  joinMessages,
  type KindDecision,
  type MigrationStep,
  type PlannedKind,
  type Remark,
  type ServerKind,
  type ServerMigration,
} from './plan.ts';
import type { SourceContent } from './source.ts';
import { MigrationTarget } from './target.ts';

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
  const target = new MigrationTarget(!options.isWriting);
  const migration: ServerMigration = {
    request: withSuspension(request),
    source,
    isPruning: false,
    ...options,
    target,
  };
  const outcomes: PlannedKind[] = [];
  for (const kind of serverKinds) {
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
    const written: MigrationStep[] = [];
    const decided = isWriting ? await write(request, decide, written) : withoutImpossible(await decide());
    for (const step of isWriting ? written : decided.steps) {
      if (step.outcome !== undefined) outcome[step.outcome].push(step.name);
    }
    outcome.left.push(...(decided.left ?? []));
    outcome.refused.push(...(decided.refused ?? []));
    outcome.remarks.push(...(decided.remarks ?? []));
    onDone(kind.title, countThings(outcome));
    // Progress, and the signal that ends the process, get their turn.
    await turn();
  }
  if (isWriting) await kind.after?.(request);
  return outcome;
}

/** Decides and writes. @param written receives the steps that are stored. */
function write(
  request: FlagRequest,
  decide: () => Promise<KindDecision>,
  written: MigrationStep[],
): Promise<KindDecision> {
  const known = new Map<ChangeUnit, MigrationStep>();
  return writeInLoop(request, systemUser, {
    strategy: inSequence({ onStored: (steps) => written.push(...steps.flatMap((step) => known.get(step) ?? [])) }),
    of: [],
    likelyEvents: 0,
    read: async () => withoutImpossible(await decide()),
    decide: (found) => {
      const refused = [...(found.refused ?? [])];
      const earlier = new Set(written.map(({ name }) => name));
      const left = found.left?.filter((name) => !earlier.has(name));
      const onDone = (step: MigrationStep) => written.push(step);
      return {
        units: stepsInOrder(request, found.steps, { known, refused, onDone }),
        result: { ...found, refused, ...(left && { left }) },
      };
    },
  });
}

interface Carrying {
  /** Receives the steps by those that are written for them. */
  readonly known: Map<ChangeUnit, MigrationStep>;
  readonly refused: Remark[];
  /** Called with a step that an operation has carried out. */
  readonly onDone: (step: MigrationStep) => void;
}

/** Yields the steps as they are to be written, and carries out those that have an operation of their own. */
async function* stepsInOrder(
  request: FlagRequest,
  steps: readonly MigrationStep[],
  { known, refused, onDone }: Carrying,
): AsyncGenerator<readonly ChangeUnit[]> {
  for (const some of apart(steps)) {
    const [first] = some;
    if (first?.run !== undefined) {
      const reason = await first.run(request).then(() => undefined, refusalIn);
      if (reason === undefined) onDone(first);
      else refused.push({ name: first.name, reason });
      continue;
    }
    const whole: ChangeUnit[] = [];
    for (const step of some) {
      const further = (await step.besides?.(request)) ?? [];
      const own = writeStepOf(step, further);
      known.set(own, step);
      whole.push(own);
    }
    yield whole;
  }
}

function writeStepOf(
  { name, writes, record = serviceEventWrites, ...step }: MigrationStep,
  further: readonly Write[] = [],
) {
  return {
    ...step,
    what: name,
    writes: [],
    record: (events: readonly Event[]) => mergeWrites([...writes, ...further, ...record(events)]),
  };
}

/** Refuses the steps that the store could not hold, as a plan has to say before anything is written. */
function withoutImpossible({ steps, refused = [], ...decided }: KindDecision): KindDecision {
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

function problemOf(step: MigrationStep): string | undefined {
  try {
    const { what, events, record } = writeStepOf(step);
    const unit = { what, writes: record(stampEvents(events, 1, systemUser, new Date().toISOString())) };
    packUnits([unit], commonWrites);
    return itemProblems(unit.writes)[0]?.message;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return joinMessages(error);
  }
}

/** Returns the reason of an operation that refuses what it is asked for. */
function refusalIn(error: unknown): string {
  if (error instanceof ApiError && error.name !== 'ServiceUnavailable') return joinMessages(error);
  throw error;
}

/** Puts the steps that need something else before them, or write by themselves, apart from the others. */
function apart(steps: readonly MigrationStep[]): MigrationStep[][] {
  const runs: MigrationStep[][] = [];
  let isOpen = false;
  for (const step of steps) {
    const isAlone = step.run !== undefined || step.besides !== undefined;
    if (isOpen && !isAlone) runs.at(-1)?.push(step);
    else runs.push([step]);
    isOpen = !isAlone;
  }
  return runs;
}
