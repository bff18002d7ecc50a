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
import { batchUnits } from '../../store/batch.ts';
import { mergeWrites } from '../../store/transactions/merge-writes.ts';
import { findItemErrors, type Write } from '../../store/transactions/write.ts';
import { forgetTrendProgress } from '../../trends/record-trends.ts';
import { serverKinds } from './kinds.ts';
import {
  countThings,
  type KindDecision,
  type MigrationStep,
  type PlannedKind,
  type ServerKind,
  type ServerMigration,
} from './plan.ts';
import type { Remark } from './reading.ts';
import { joinMessages } from './server-values.ts';
import type { SourceContent } from './source.ts';
import { MigrationTarget } from './target.ts';

/** The number of writes that each transaction reserves for counts and due index entries. */
const commonWrites = 4;

/** Called with the progress of a kind. */
type OnDone = (kind: string, done: number) => void;

interface RunOptions {
  /** The address of the server, under which the store notes the imported things. */
  readonly from: string;
  readonly isWriting: boolean;
  /** True to delete imported things that the server has deleted and nobody has changed here. */
  readonly isPruning?: boolean;
  readonly onDone?: OnDone;
}

/**
 * Imports the contents of a server, thing by thing, each with its events, or only plans that. Things that are the same stay
 * unchanged, and a second call completes an interrupted one.
 * @returns the outcome by kind, in the order of the import.
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
  for (const kind of serverKinds) outcomes.push(await runKind(migration, kind, onDone));
  // Imported events have the times of the server, in weeks that may be recorded already.
  if (options.isWriting && outcomes.some(hasWritten)) await forgetTrendProgress(request);
  return outcomes;
}

function hasWritten({ created, changed }: PlannedKind): boolean {
  return created.length + changed.length > 0;
}

async function runKind(migration: ServerMigration, kind: ServerKind, onDone: OnDone): Promise<PlannedKind> {
  const { request, isWriting } = migration;
  const outcome: PlannedKind = { kind: kind.title, created: [], changed: [], unchanged: [], refused: [], remarks: [] };
  for await (const decide of kind.decisions(migration)) {
    // A decision that is repeated after a lost race finds the steps written before unchanged, so that they are collected here.
    const written: MigrationStep[] = [];
    const decided = isWriting ? await write(request, decide, written) : refuseTooLarge(await decide());
    for (const step of isWriting ? written : decided.steps) {
      if (step.outcome !== undefined) outcome[step.outcome].push(step.name);
    }
    outcome.unchanged.push(...(decided.unchanged ?? []));
    outcome.refused.push(...(decided.refused ?? []));
    outcome.remarks.push(...(decided.remarks ?? []));
    onDone(kind.title, countThings(outcome));
    // Lets the process show its progress and handle signals.
    await turn();
  }
  if (isWriting) await kind.after?.(request);
  return outcome;
}

/** Decides and writes. @param written receives the stored steps. */
function write(
  request: FlagRequest,
  decide: () => Promise<KindDecision>,
  written: MigrationStep[],
): Promise<KindDecision> {
  const migrationSteps = new Map<ChangeUnit, MigrationStep>();
  return writeInLoop(request, systemUser, {
    strategy: inSequence({
      onStored: (units) => written.push(...units.flatMap((unit) => migrationSteps.get(unit) ?? [])),
    }),
    items: [],
    likelyEvents: 0,
    read: async () => refuseTooLarge(await decide()),
    decide: (decision) => {
      const refused = [...(decision.refused ?? [])];
      const writtenNames = new Set(written.map(({ name }) => name));
      const unchanged = decision.unchanged?.filter((name) => !writtenNames.has(name));
      const onDone = (step: MigrationStep) => written.push(step);
      return {
        units: carryOut(request, decision.steps, { migrationSteps, refused, onDone }),
        result: { ...decision, refused, ...(unchanged && { unchanged }) },
      };
    },
  });
}

interface Progress {
  /** Receives the step of each unit. */
  readonly migrationSteps: Map<ChangeUnit, MigrationStep>;
  /** Receives the steps whose operation refused them. */
  readonly refused: Remark[];
  /** Called with a step that an operation carried out. */
  readonly onDone: (step: MigrationStep) => void;
}

/** Carries out the steps with an operation, and yields the units of the others. */
async function* carryOut(
  request: FlagRequest,
  steps: readonly MigrationStep[],
  { migrationSteps, refused, onDone }: Progress,
): AsyncGenerator<readonly ChangeUnit[]> {
  for (const group of groupSteps(steps)) {
    const [first] = group;
    if (first?.run !== undefined) {
      const reason = await first.run(request).then(() => undefined, reasonOf);
      if (reason === undefined) onDone(first);
      else refused.push({ name: first.name, reason });
      continue;
    }
    const units: ChangeUnit[] = [];
    for (const step of group) {
      const unit = toUnit(step, await step.buildExtraWrites?.(request));
      migrationSteps.set(unit, step);
      units.push(unit);
    }
    yield units;
  }
}

function toUnit(
  { name, writes, record = serviceEventWrites, ...step }: MigrationStep,
  furtherWrites: readonly Write[] = [],
) {
  return {
    ...step,
    subject: name,
    writes: [],
    record: (events: readonly Event[]) => mergeWrites([...writes, ...furtherWrites, ...record(events)]),
  };
}

/** Refuses the steps that the store cannot hold, since a plan must show this before anything is written. */
function refuseTooLarge({ steps, refused = [], ...decision }: KindDecision): KindDecision {
  const checked = steps.map((step) => ({ step, reason: problemOf(step) }));
  return {
    ...decision,
    steps: checked.flatMap(({ step, reason }) => (reason === undefined ? [step] : [])),
    refused: [
      ...refused,
      ...checked.flatMap(({ step: { name }, reason }) => (reason === undefined ? [] : [{ name, reason }])),
    ],
  };
}

function problemOf(step: MigrationStep): string | undefined {
  try {
    const { subject, events, record } = toUnit(step);
    const unit = { subject, writes: record(stampEvents(events, 1, systemUser, new Date().toISOString())) };
    batchUnits([unit], commonWrites);
    return findItemErrors(unit.writes)[0]?.message;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return joinMessages(error);
  }
}

/** Returns the reason of a refusal; throws any other error. */
function reasonOf(error: unknown): string {
  if (error instanceof ApiError && error.name !== 'ServiceUnavailable') return joinMessages(error);
  throw error;
}

/** Groups the steps that are written together. A step with an operation or a preparation is alone. */
function groupSteps(steps: readonly MigrationStep[]): MigrationStep[][] {
  const groups: MigrationStep[][] = [];
  let isOpen = false;
  for (const step of steps) {
    const isAlone = step.run !== undefined || step.buildExtraWrites !== undefined;
    if (isOpen && !isAlone) groups.at(-1)?.push(step);
    else groups.push([step]);
    isOpen = !isAlone;
  }
  return groups;
}
