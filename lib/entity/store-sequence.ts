import { packUnits } from '../store/pack.ts';
import { transact } from '../store/transactions/transact.ts';
import type { Write } from '../store/transactions/write.ts';
import { stampChunks } from './stamp-chunks.ts';
import { writesOf } from './stamp-steps.ts';
import type { Step } from './step.ts';
import type { Storing } from './storing.ts';
import { untilRepeated } from './until-repeated.ts';

/** Room that each transaction keeps for counts, for marks, and for what is written besides. */
const reserved = 4;

interface Sequence<Found> {
  /** Returns further writes of the n-th transaction, counted from 0. */
  readonly besides?: (found: Found, n: number) => readonly Write[];
  /** Called with the steps of each stored transaction. */
  readonly onStored: (steps: readonly Step[]) => void;
}

/** Stores one transaction after the other. The next chunk of steps is asked for when the one before is stored. */
export function inSequence<Found>({ besides = () => [], onStored }: Sequence<Found>): Storing<Found> {
  return {
    async store(request, { decided: { steps, budget }, stamping, attempts, found }) {
      attempts.ids = undefined;
      let stored = 0;
      for await (const chunk of steps) {
        const stamped = await stampChunks(request, { steps: [chunk], budget }, stamping);
        for (const pack of untilRepeated(stamped).flatMap((some) => packUnits(some, reserved))) {
          await transact(request, [...besides(found, stored), ...writesOf(pack)], undefined);
          onStored(pack.map(({ step }) => step));
          stored += 1;
        }
      }
      return true;
    },
  };
}
