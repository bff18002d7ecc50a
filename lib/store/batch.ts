import { type ErrorDetail, invalidRequest } from '../errors.ts';
import { itemBytesMax } from './item.ts';
import {
  bytesOf,
  findItemErrors,
  transactionBytesMax,
  transactionWritesMax,
  type Write,
} from './transactions/write.ts';

/** A size, or a limit of size. A missing count has no limit. */
interface Size {
  readonly count?: number;
  readonly bytes: number;
}

/**
 * Splits things into as few batches as their order allows. A thing larger than a batch has a batch of its own, which the caller
 * must refuse.
 */
export function splitIntoBatches<T>(things: readonly T[], sizeOf: (thing: T) => Size, room: Size): [T, ...T[]][] {
  const batches: [T, ...T[]][] = [];
  const { count: countMax = Number.POSITIVE_INFINITY, bytes: bytesMax } = room;
  let [count, bytes] = [0, 0];
  for (const thing of things) {
    const size = sizeOf(thing);
    count += size.count ?? 0;
    bytes += size.bytes;
    const open = batches.at(-1);
    if (open !== undefined && count <= countMax && bytes <= bytesMax) {
      open.push(thing);
    } else {
      batches.push([thing]);
      [count, bytes] = [size.count ?? 0, size.bytes];
    }
  }
  return batches;
}

/** Writes that must be in the same transaction. */
export interface Unit {
  /** The name of the changed thing, for errors. */
  readonly subject: string;
  readonly writes: readonly Write[];
}

/** Returns the size of a unit without `addToAny` writes: a transaction merges all of them into one, for which space is reserved. */
function sizeOf({ writes }: Unit) {
  const own = writes.filter((write) => !('addToAny' in write));
  return { count: own.length, bytes: bytesOf(own) };
}

/**
 * Splits units into as few transactions as their order allows. All writes of a unit stay together.
 * @param reserved the number of further writes that each transaction needs space for.
 * @throws ApiError 400 that names, per unit, the first item that is too large, or else the unit if it exceeds a transaction.
 */
export function batchUnits<T extends Unit>(units: readonly T[], reserved: number): T[][] {
  const room = { count: transactionWritesMax - reserved, bytes: transactionBytesMax };
  const sizes = new Map(units.map((unit) => [unit, sizeOf(unit)]));
  const problems = [...sizes].flatMap(([unit, { count, bytes }]): ErrorDetail[] => {
    // Only the first item: the events of a thing that is too large are too large as well.
    const [tooLarge] = bytes > itemBytesMax ? findItemErrors(unit.writes) : [];
    if (tooLarge !== undefined) return [tooLarge];
    if (count <= room.count && bytes <= room.bytes) return [];
    const message =
      `The change of the ${unit.subject} would take ${count} writes and ${bytes} bytes; the store carries out at most ` +
      `${room.count} writes and ${room.bytes} bytes together.`;
    return [{ message }];
  });
  if (problems.length > 0) throw invalidRequest(problems);
  return splitIntoBatches(units, (unit) => sizes.get(unit) as Size, room);
}
