import { type Attributes, itemBytes } from './item.ts';
import type { Key } from './keys.ts';

/**
 * What must hold for a write to happen: the item is absent, is present, still has the version that was read, or holds
 * nothing but 0, if anything, under the attribute `zero`.
 */
export type Condition = 'absent' | 'present' | { readonly version: number } | { readonly zero: string };

interface Conditional {
  readonly when?: Condition;
  /** The error that a failed condition means; without it, another writer was faster and the caller decides again. */
  readonly otherwise?: () => Error;
}

/**
 * One action of a transaction. `add` raises numbers, and creates the item or the number where it is missing; `addToAny`
 * does so in one of several items, of which the sum counts.
 */
export type Write =
  | ({ readonly put: Key; readonly item: Attributes } & Conditional)
  | ({ readonly remove: Key } & Conditional)
  | ({ readonly check: Key } & Required<Pick<Conditional, 'when'>> & Conditional)
  | { readonly add: Key; readonly amounts: Amounts }
  | { readonly addToAny: readonly Key[]; readonly amounts: Amounts };

type Amounts = Readonly<Record<string, number>>;

/** AWS's documented limits of one transaction. */
export const transactionWritesMax = 100;
export const transactionBytesMax = 4 * 1024 * 1024;

/** What a write adds to the size of its transaction, in bytes. */
export function writeBytes(write: Write): number {
  return 'item' in write ? itemBytes({ ...write.put, ...write.item }) : 1024;
}
