import { transact } from '../store/transactions/transact.ts';
import { commitPacks, finishedUnits, packChanges } from './commit-units.ts';
import { stampChunks } from './stamp-chunks.ts';
import { type StampedStep, stampClosing, writesOf } from './stamp-steps.ts';
import type { Storing } from './write-loop.ts';

/**
 * Stores steps in one transaction where they fit; else stage after stage, the transactions of a stage in flight together.
 * Interrupted and repeated, a request goes on with the steps that are left.
 */
export const inStages: Storing = storingInStages(false);

/** As `inStages`, but everything is read and decided again after each stage. */
export const inRepeatedRounds: Storing = storingInStages(true);

function storingInStages(isReadAgain: boolean): Storing {
  return {
    findFinished: finishedUnits,
    async store(request, decided, stamping, progress) {
      const steps = await stampChunks(request, decided, stamping);
      const isNothing = steps.length === 0 && !(progress.hasStored && decided.closing);
      if (isNothing) return true;
      const closing = decided.closing === undefined ? [] : await stampClosing(request, decided.closing, stamping);
      const packsOf = (some: readonly StampedStep[]) => packChanges(request, some, closing.length);
      const inOrder = steps.toSorted((a, b) => stageOf(a) - stageOf(b));
      const whole = packsOf(inOrder);
      if (whole.length <= 1) {
        await transact(request, [...writesOf(whole.flat()), ...closing], decided.result);
        return true;
      }
      const stages = [...Map.groupBy(inOrder, stageOf).values()].map(packsOf);
      const now = isReadAgain ? stages.slice(0, 1) : stages;
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
      if (isLast && closing.length > 0) await transact(request, [...writesOf(last), ...closing], decided.result);
      return isLast;
    },
  };
}

function stageOf({ step }: StampedStep): number {
  return step.stage ?? 1;
}
