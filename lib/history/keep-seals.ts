import type { Key } from '../store/client/definition.ts';
import type { RawItem } from '../store/raw-items.ts';
import { buildCheckpoint } from './checkpoint.ts';
import type { Checkpoint, KeptSeal } from './checkpoint-schema.ts';
import type { Seal } from './seal.ts';
import { toSeal } from './seal-events.ts';

/**
 * Builds a checkpoint of the last seal that keeps all seals, so that a later verification with it names what was altered even if all
 * hashes were computed again.
 * @param items the items of seals and of their leaves; others are ignored.
 * @throws Error without a seal.
 */
export function keepSeals(items: Iterable<RawItem>): Checkpoint {
  const heads: Seal[] = [];
  const leaves = new Map<number, string>();
  for (const item of items) {
    if (item.pk === 'SEALS') heads.push(toSeal(item as unknown as Key & Omit<Seal, 'number'>));
    else if (item.pk.startsWith('SEAL#')) leaves.set(Number(item.pk.slice('SEAL#'.length)), String(item.leaves));
  }
  const last = heads.toSorted((a, b) => a.number - b.number).at(-1);
  if (last === undefined) throw new Error('There is no seal yet.');
  const seals = heads
    .toSorted((a, b) => a.number - b.number)
    .map(
      ({ number, at, upTo, previous, count, root }): KeptSeal => ({
        ...{ number, at, upTo, previous, count, root },
        leaves: leaves.get(number) ?? '',
      }),
    );
  return { ...buildCheckpoint(last), seals };
}
