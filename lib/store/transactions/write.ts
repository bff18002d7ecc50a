import type { ErrorDetail } from '../../errors.ts';
import type { Key } from '../client/definition.ts';
import { type Attributes, itemBytes, itemBytesMax } from '../item.ts';

/**
 * The condition of a write: the item is absent, is present, still has the version that was read, counts so many (a
 * missing item counts 0, unless it must be present), is of a project or of none, or has the `same` values under these
 * attributes, of which those of undefined are missing; its `until` may have to be a moment that is still to come when the
 * write is sent.
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
  /** The error that a failed condition means; without it, another writer was faster and the caller decides again. */
  readonly otherwise?: () => Error;
}

/**
 * One action of a transaction. `add` raises numbers, and creates the item or the number where it is missing; `addToAny`
 * does so in one of several items, of which the sum counts, and only where the numbers named by `unless` are 0 or missing
 * and those named by `provided` are 1. It may `set` texts there beside them; each item keeps its own.
 */
export type Write =
  | ({
      readonly put: Key;
      readonly item: Attributes;
      /** The name of the item in errors, e.g. `feature "checkout"`. */
      readonly what?: string;
    } & Conditional)
  | ({ readonly remove: Key } & Conditional)
  | ({ readonly check: Key } & Required<Pick<Conditional, 'when'>> & Conditional)
  | ({ readonly add: Key; readonly amounts: Amounts } & Conditional)
  | ({ readonly addToAny: readonly Key[]; readonly amounts: Amounts; readonly set?: Texts } & Provisos);

/** The numbers, by name, on which an addition to any of several items depends. */
interface Provisos {
  readonly unless?: readonly string[];
  readonly provided?: readonly string[];
}

type Amounts = Readonly<Record<string, number>>;
type Texts = Readonly<Record<string, string>>;

/** AWS's documented limit of one transaction. */
export const transactionWritesMax = 100;
/** AWS's documented limit is 4 MB, of which it says in outline only how they are counted. */
export const transactionBytesMax = Math.floor(0.95 * 4 * 1024 * 1024);

/** Returns the bytes that a write adds to its transaction. */
export function writeBytes(write: Write): number {
  return 'item' in write ? itemBytes({ ...write.put }) + itemBytes(write.item) : 1024;
}

export function bytesOf(writes: readonly Write[]): number {
  let bytes = 0;
  for (const write of writes) bytes += writeBytes(write);
  return bytes;
}

/** Returns the keys of the items among writes that the list of all events shows. */
export function eventKeysIn(writes: readonly Write[]): Key[] {
  return writes.flatMap((write) => ('put' in write && 'log' in write.item ? [write.put] : []));
}

/**
 * Returns the errors about items that the store could not hold. It counts the key, so they are measured where the two
 * meet.
 */
export function findItemErrors(writes: readonly Write[]): ErrorDetail[] {
  return writes.flatMap((write) => {
    if (!('item' in write)) return [];
    const bytes = writeBytes(write);
    if (bytes <= itemBytesMax) return [];
    const { what = 'change' } = write;
    return [{ message: `The ${what} would take ${bytes} bytes; at most ${itemBytesMax} are allowed.` }];
  });
}
