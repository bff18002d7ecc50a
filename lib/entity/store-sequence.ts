import { batchUnits } from '../store/batch.ts';
import { keyText } from '../store/client/definition.ts';
import { transact } from '../store/transactions/transact.ts';
import type { Write } from '../store/transactions/write.ts';
import type { ChangeUnit } from './effects.ts';
import { stampChunks } from './stamp-chunks.ts';
import { writesOf } from './stamp-units.ts';
import type { WriteStrategy } from './write-strategy.ts';

/** Room that each transaction keeps for counts, for marks, and for what is written besides. */
const reserved = 4;

interface Sequence<Found> {
  /** Returns further writes of the n-th transaction, counted from 0. */
  readonly besides?: (found: Found, n: number) => readonly Write[];
  /** Called with the steps of each stored transaction. */
  readonly onStored: (steps: readonly ChangeUnit[]) => void;
}

/** Stores one transaction after the other. The next chunk of steps is asked for when the one before is stored. */
export function inSequence<Found>({ besides = () => [], onStored }: Sequence<Found>): WriteStrategy<Found> {
  return {
    async store(request, { decided: { units: steps, budget }, stamping, attempts, found }) {
      attempts.ids = undefined;
      let stored = 0;
      for await (const chunk of steps) {
        const stamped = await stampChunks(request, { units: [chunk], budget }, stamping);
        for (const batch of splitAtRepeatedItems(stamped).flatMap((some) => batchUnits(some, reserved))) {
          await transact(request, [...besides(found, stored), ...writesOf(batch)], undefined);
          onStored(batch.map(({ step }) => step));
          stored += 1;
        }
      }
      return true;
    },
  };
}

/** Splits units so that no run writes the same item twice: a transaction must not. */
export function splitAtRepeatedItems<T extends { readonly writes: readonly Write[] }>(units: readonly T[]): T[][] {
  const runs: T[][] = [[]];
  let items = new Set<string>();
  for (const unit of units) {
    const own = unit.writes.flatMap((write) => ('put' in write ? keyText(write.put) : []));
    if (own.some((item) => items.has(item))) {
      runs.push([]);
      items = new Set();
    }
    runs.at(-1)?.push(unit);
    for (const item of own) items.add(item);
  }
  return runs;
}
