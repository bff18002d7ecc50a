import type { ErrorDetail } from '../../errors.ts';
import type { Key } from '../client/definition.ts';
import { type Attributes, itemBytes, itemBytesMax } from '../item.ts';

/**
 * The condition of a write:
 * - `absent`, `present`: whether the item exists.
 * - `version`: it has this version.
 * - `amount`: it has this amount. A missing item has 0, unless it must be `present`.
 * - `forProject`: it belongs to this project or to none.
 * - `same`: these attributes have these values, or are missing if the value is undefined.
 * - `isUnderWay`: its attribute `until` is in the future when the write is sent.
 */
export type Condition =
  | 'absent'
  | 'present'
  | { readonly version: number; readonly same?: Attributes }
  | { readonly amount: number; readonly present?: true }
  | { readonly forProject: string }
  | { readonly same: Attributes; readonly isUnderWay?: true };

interface Conditional {
  readonly when?: Condition;
  /** Returns the error for a failed condition; by default, it is a lost race, and the caller decides again. */
  readonly otherwise?: () => Error;
}

/**
 * One action of a transaction. `add` adds to numbers, and creates a missing item or number. `addToAny` does so in any one of several
 * items, whose sum counts. It requires that the numbers named by `unless` are 0 or missing in that item, and that those named by
 * `provided` are 1. It may also `set` texts in that item.
 */
export type Write =
  | ({
      readonly put: Key;
      readonly item: Attributes;
      /** The name of the item in errors, e.g. `feature "checkout"`. */
      readonly subject?: string;
    } & Conditional)
  | ({ readonly remove: Key } & Conditional)
  | ({ readonly check: Key } & Required<Pick<Conditional, 'when'>> & Conditional)
  | ({ readonly add: Key; readonly amounts: Amounts } & Conditional)
  | ({ readonly addToAny: readonly Key[]; readonly amounts: Amounts; readonly set?: Texts } & Provisos);

/** The names of the numbers that an `addToAny` write depends on. */
interface Provisos {
  readonly unless?: readonly string[];
  readonly provided?: readonly string[];
}

type Amounts = Readonly<Record<string, number>>;
type Texts = Readonly<Record<string, string>>;

/** AWS's documented limit of one transaction. */
export const transactionWritesMax = 100;
/** Slightly less than AWS's documented limit of 4 MB, since AWS documents only roughly how bytes are counted. */
export const transactionBytesMax = Math.floor(0.95 * 4 * 1024 * 1024);

/** Returns the bytes that a write adds to a transaction. */
export function writeBytes(write: Write): number {
  return 'item' in write ? itemBytes({ ...write.put }) + itemBytes(write.item) : 1024;
}

export function bytesOf(writes: readonly Write[]): number {
  let bytes = 0;
  for (const write of writes) bytes += writeBytes(write);
  return bytes;
}

/** Returns the keys of the event items among writes. */
export function eventKeysIn(writes: readonly Write[]): Key[] {
  return writes.flatMap((write) => ('put' in write && 'log' in write.item ? [write.put] : []));
}

/** Returns an error for each item that is too large, including its key. */
export function findItemErrors(writes: readonly Write[]): ErrorDetail[] {
  return writes.flatMap((write) => {
    if (!('item' in write)) return [];
    const bytes = writeBytes(write);
    if (bytes <= itemBytesMax) return [];
    const { subject = 'change' } = write;
    return [{ message: `The ${subject} would take ${bytes} bytes; at most ${itemBytesMax} are allowed.` }];
  });
}

/** The condition that an item is unchanged since rights were derived from it. */
export interface RightsCondition {
  readonly check: Key;
  readonly when: 'present' | { readonly version: number } | { readonly same: Attributes };
}
