import type { RawItem } from '../store/raw-items.ts';
import { buildCheckpoint } from './checkpoint.ts';
import type { Checkpoint, KeptSeal } from './checkpoint-schema.ts';
import type { Seal } from './seal.ts';
import { readLeavesItem, readSealItem } from './seal-items.ts';

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
    const head = readSealItem(item);
    if (head !== undefined) heads.push(head);
    const list = readLeavesItem(item);
    if (list !== undefined) leaves.set(list.number, list.leaves);
  }
  const sorted = heads.toSorted((a, b) => a.number - b.number);
  const last = sorted.at(-1);
  if (last === undefined) throw new Error('There is no seal yet.');
  const seals = sorted.map(
    ({ number, at, upTo, previous, count, root }): KeptSeal => ({
      ...{ number, at, upTo, previous, count, root },
      leaves: leaves.get(number) ?? '',
    }),
  );
  return { ...buildCheckpoint(last), seals };
}
