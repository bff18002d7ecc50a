import type { Request } from '../request.ts';
import { transact } from '../store/transactions/transact.ts';
import type { Write } from '../store/transactions/write.ts';
import { batchForRequest, commitBatches, loadFinishedUnits } from './commit-units.ts';
import { stampChunks } from './stamp-chunks.ts';
import { type StampedUnit, stampFinalEvent, writesOf } from './stamp-units.ts';
import type { Attempts, WriteStrategy } from './write-strategy.ts';

/**
 * Stores units in one transaction if they fit, or else stage after stage, with concurrent transactions within a stage. If a request
 * is interrupted and repeated, it continues with the missing units.
 */
export const inStages: WriteStrategy = {
  findFinished: loadFinishedUnits,
  async store(request, { decision, stamping, attempts }) {
    const ids = { ...stamping, spare: decision.finalEvent === undefined ? 0 : 1 };
    const units = sortByStage(await stampChunks(request, decision, ids));
    const isEmpty = units.length === 0 && !(attempts.hasStored && decision.finalEvent);
    if (isEmpty) return true;
    const final =
      decision.finalEvent === undefined ? [] : await stampFinalEvent(request, decision.finalEvent, stamping);
    if (await storeWhole(request, units, final, decision.result)) return true;
    const stages = batchesOfStages(request, units, final.length);
    // The last batch is stored with the final event, which therefore exists only if everything else does.
    const last = final.length > 0 ? (stages.at(-1)?.pop() ?? []) : [];
    for (const batches of stages) await commitStage(request, batches, attempts);
    if (final.length > 0) await transact(request, [...writesOf(last), ...final], decision.result);
    return true;
  },
};

/** Stores units like `inStages`, but everything is read and decided again after each stage. */
export const inRepeatedRounds: WriteStrategy = {
  findFinished: loadFinishedUnits,
  async store(request, { decision, stamping, attempts }) {
    const units = sortByStage(await stampChunks(request, decision, stamping));
    if (units.length === 0 || (await storeWhole(request, units, [], decision.result))) return true;
    const [first = [], ...others] = batchesOfStages(request, units, 0);
    await commitStage(request, first, attempts);
    return others.length === 0;
  },
};

function stageOf({ unit }: StampedUnit): number {
  return unit.stage ?? 1;
}

function sortByStage(units: readonly StampedUnit[]): StampedUnit[] {
  return units.toSorted((a, b) => stageOf(a) - stageOf(b));
}

/** Stores all units in one transaction, with the idempotency record. @returns false if they do not fit. */
async function storeWhole(
  request: Request,
  units: readonly StampedUnit[],
  final: readonly Write[],
  result: unknown,
): Promise<boolean> {
  if (batchForRequest(request, units, final.length).length > 1) return false;
  await transact(request, [...writesOf(units), ...final], result);
  return true;
}

/** @param units sorted by stage. */
function batchesOfStages(request: Request, units: readonly StampedUnit[], reserved: number): StampedUnit[][][] {
  return [...Map.groupBy(units, stageOf).values()].map((stage) => batchForRequest(request, stage, reserved));
}

async function commitStage(request: Request, batches: readonly StampedUnit[][], attempts: Attempts): Promise<void> {
  // Some batches may be stored even if others fail, so the ids cannot be used again.
  attempts.ids = undefined;
  await commitBatches(request, batches, () => {
    attempts.hasStored = true;
  });
}
