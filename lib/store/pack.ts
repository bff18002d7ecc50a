import { type ErrorDetail, invalidRequest } from '../errors.ts';
import { itemBytesMax } from './item.ts';
import { bytesOf, itemProblems, transactionBytesMax, transactionWritesMax, type Write } from './transactions/write.ts';

/** A size; a missing dimension has no limit. */
interface Size {
  readonly count?: number;
  readonly bytes: number;
}

/**
 * Puts things into as few lists as their order allows. What exceeds the room of a list by itself has one of its own: it is
 * up to the caller to refuse it.
 */
export function pack<T>(things: readonly T[], sizeOf: (thing: T) => Size, room: Size): [T, ...T[]][] {
  const packs: [T, ...T[]][] = [];
  const { count: countMax = Number.POSITIVE_INFINITY, bytes: bytesMax } = room;
  let [count, bytes] = [0, 0];
  for (const thing of things) {
    const size = sizeOf(thing);
    count += size.count ?? 0;
    bytes += size.bytes;
    const open = packs.at(-1);
    if (open !== undefined && count <= countMax && bytes <= bytesMax) {
      open.push(thing);
    } else {
      packs.push([thing]);
      [count, bytes] = [size.count ?? 0, size.bytes];
    }
  }
  return packs;
}

/** Writes that happen together or not at all. */
export interface Unit {
  /** The name of what they change, for the error that it is too much. */
  readonly what: string;
  readonly writes: readonly Write[];
}

/** Additions to any of several items are not counted: those of a whole transaction become one, for which it keeps room. */
function sizeOf({ writes }: Unit) {
  const own = writes.filter((write) => !('addToAny' in write));
  return { count: own.length, bytes: bytesOf(own) };
}

/**
 * Puts units into as few transactions as their order allows, none of them torn apart.
 * @param reserved how many further writes each transaction must have room for.
 * @throws ApiError 400 that names, of every unit, the first item which the store could not hold, or the unit which alone
 * is more than a transaction.
 */
export function packUnits<T extends Unit>(units: readonly T[], reserved: number): T[][] {
  const room = { count: transactionWritesMax - reserved, bytes: transactionBytesMax };
  const sizes = new Map(units.map((unit) => [unit, sizeOf(unit)]));
  const problems = [...sizes].flatMap(([unit, { count, bytes }]): ErrorDetail[] => {
    // Of a unit the first one: what is too large is so in its events, too.
    const [tooLarge] = bytes > itemBytesMax ? itemProblems(unit.writes) : [];
    if (tooLarge !== undefined) return [tooLarge];
    if (count <= room.count && bytes <= room.bytes) return [];
    const message =
      `The change of the ${unit.what} would take ${count} writes and ${bytes} bytes; the store carries out at most ` +
      `${room.count} writes and ${room.bytes} bytes together.`;
    return [{ message }];
  });
  if (problems.length > 0) throw invalidRequest(problems);
  return pack(units, (unit) => sizes.get(unit) as Size, room);
}
