import type { Request } from '../request.ts';
import { transact } from '../store/transactions/transact.ts';
import type { Write } from '../store/transactions/write.ts';
import { batchForRequest, commitBatches, loadFinishedUnits } from './commit-units.ts';
import { stampChunks } from './stamp-chunks.ts';
import { type StampedUnit, stampFinalEvent, writesOf } from './stamp-units.ts';
import type { Attempts, WriteStrategy } from './write-strategy.ts';

/**
 * Stores steps in one transaction where they fit; else stage after stage, the transactions of a stage in flight together.
 * Interrupted and repeated, a request goes on with the steps that are left.
 */
export const inStages: WriteStrategy = {
  findFinished: loadFinishedUnits,
  async store(request, { decided, stamping, attempts }) {
    const ids = { ...stamping, spare: decided.finalEvent === undefined ? 0 : 1 };
    const steps = inOrderOfStages(await stampChunks(request, decided, ids));
    const isNothing = steps.length === 0 && !(attempts.hasStored && decided.finalEvent);
    if (isNothing) return true;
    const final = decided.finalEvent === undefined ? [] : await stampFinalEvent(request, decided.finalEvent, stamping);
    if (await storeWhole(request, steps, final, decided.result)) return true;
    const stages = packsOfStages(request, steps, final.length);
    // The final event is there exactly when all else is.
    const last = final.length > 0 ? (stages.at(-1)?.pop() ?? []) : [];
    for (const batches of stages) await commitStage(request, batches, attempts);
    if (final.length > 0) await transact(request, [...writesOf(last), ...final], decided.result);
    return true;
  },
};

/** As `inStages`, but everything is read and decided again after each stage. */
export const inRepeatedRounds: WriteStrategy = {
  findFinished: loadFinishedUnits,
  async store(request, { decided, stamping, attempts }) {
    const steps = inOrderOfStages(await stampChunks(request, decided, stamping));
    if (steps.length === 0 || (await storeWhole(request, steps, [], decided.result))) return true;
    const [first = [], ...others] = packsOfStages(request, steps, 0);
    await commitStage(request, first, attempts);
    return others.length === 0;
  },
};

function stageOf({ step }: StampedUnit): number {
  return step.stage ?? 1;
}

function inOrderOfStages(steps: readonly StampedUnit[]): StampedUnit[] {
  return steps.toSorted((a, b) => stageOf(a) - stageOf(b));
}

/** Stores all steps, with the answer for a repeated request. @returns false where they do not fit into one transaction. */
async function storeWhole(
  request: Request,
  steps: readonly StampedUnit[],
  final: readonly Write[],
  result: unknown,
): Promise<boolean> {
  if (batchForRequest(request, steps, final.length).length > 1) return false;
  await transact(request, [...writesOf(steps), ...final], result);
  return true;
}

/** @param steps in the order of their stages. */
function packsOfStages(request: Request, steps: readonly StampedUnit[], reserved: number): StampedUnit[][][] {
  return [...Map.groupBy(steps, stageOf).values()].map((stage) => batchForRequest(request, stage, reserved));
}

async function commitStage(request: Request, batches: readonly StampedUnit[][], attempts: Attempts): Promise<void> {
  // Some may be stored even if another one fails; their ids are used then.
  attempts.ids = undefined;
  await commitBatches(request, batches, () => {
    attempts.hasStored = true;
  });
}
