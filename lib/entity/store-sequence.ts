import { batchUnits } from '../store/batch.ts';
import { keyText } from '../store/client/definition.ts';
import { transact } from '../store/transactions/transact.ts';
import type { Write } from '../store/transactions/write.ts';
import type { ChangeUnit } from './effects.ts';
import { stampChunks } from './stamp-chunks.ts';
import { writesOf } from './stamp-units.ts';
import type { WriteStrategy } from './write-strategy.ts';

/** The number of writes that each transaction may need for counts, checksums and extra writes. */
const reserved = 4;

interface Sequence<Loaded> {
  /** Returns further writes of the n-th transaction, counted from 0. */
  readonly buildExtraWrites?: (loaded: Loaded, n: number) => readonly Write[];
  /** Called with the units of each stored transaction. */
  readonly onStored: (units: readonly ChangeUnit[]) => void;
}

/** Stores one transaction after the other. The next chunk of units is read after the previous one is stored. */
export function inSequence<Loaded>({ buildExtraWrites = () => [], onStored }: Sequence<Loaded>): WriteStrategy<Loaded> {
  return {
    async store(request, { decision: { units, budget }, stamping, attempts, loaded }) {
      attempts.ids = undefined;
      let stored = 0;
      for await (const chunk of units) {
        const stamped = await stampChunks(request, { units: [chunk], budget }, stamping);
        for (const batch of splitAtRepeatedItems(stamped).flatMap((run) => batchUnits(run, reserved))) {
          await transact(request, [...buildExtraWrites(loaded, stored), ...writesOf(batch)], undefined);
          onStored(batch.map(({ unit }) => unit));
          stored += 1;
        }
      }
      return true;
    },
  };
}

/** Splits units into runs that write no item twice, since a transaction must not. */
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
