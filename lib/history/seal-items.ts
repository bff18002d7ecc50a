import type { Key } from '../store/client/definition.ts';
import type { RawItem } from '../store/raw-items.ts';
import * as historyKeys from './keys.ts';
import type { Seal, SealLeaves } from './seal.ts';

/** A seal in the store, whose key has its number. */
export type SealItem = Key & Omit<Seal, 'number'>;

/** Returns a seal from its item. */
export function toSeal({ pk: _pk, sk, ...item }: SealItem): Seal {
  return { ...item, number: Number(sk) };
}

/** Tells whether an item is a seal or has the leaves of one. */
export function isOfSeals(item: Key): boolean {
  return historyKeys.isSeal(item) || historyKeys.numberOfLeaves(item) !== undefined;
}

/** Returns a seal from an item of a store or backup; undefined for an item of another kind, and without all that its hash covers. */
export function readSealItem(item: RawItem): Seal | undefined {
  const { at, upTo, previous, count, root, hash } = item;
  const isWhole = [at, upTo, previous, root, hash].every((text) => typeof text === 'string') && Number.isInteger(count);
  return historyKeys.isSeal(item) && isWhole ? toSeal(item as unknown as SealItem) : undefined;
}

/** Returns the leaves of a seal from an item of a store or backup; undefined for an item of another kind. */
export function readLeavesItem(item: RawItem): (SealLeaves & Pick<Seal, 'number'>) | undefined {
  const number = historyKeys.numberOfLeaves(item);
  return number === undefined ? undefined : { number, leaves: String(item.leaves) };
}
