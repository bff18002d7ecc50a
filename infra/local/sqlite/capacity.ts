import { bytesOfItem } from './attributes.ts';
import { buildIndexEntry, parseItem, type Table } from './tables.ts';
import type { PreparedWrite } from './writes.ts';

/* Capacity units as DynamoDB's documentation defines them. */

/** Returns the units of a read. An eventually consistent read costs half. */
export const countReadUnits = (bytes = 0, isConsistent = false) =>
  Math.max(1, Math.ceil(bytes / 4096)) * (isConsistent ? 1 : 0.5);

const toWriteUnits = (bytes: number) => Math.max(1, Math.ceil(bytes / 1024));

/**
 * Returns the units of a write: those of the larger of the items before and after it, and those of the index.
 * @param times the number of times that DynamoDB writes the item; it writes the index only once.
 */
export function countWriteUnits(write: PreparedWrite, times = 1): number {
  const own = toWriteUnits(Math.max(write.before?.bytes ?? 0, write.newRow?.bytes ?? 0));
  return times * own + (write.kind === 'ConditionCheck' ? 0 : countIndexUnits(write));
}

function countIndexUnits({ table, before, after, newRow }: PreparedWrite): number {
  if (!before?.indexPk && !newRow?.indexPk) return 0;
  const entries = [before && parseItem(before), after].map((item) => buildIndexEntry(table, item));
  const [old, next] = entries.map((entry) => JSON.stringify(entry));
  if (old === next) return 0;
  const [oldUnits = 0, nextUnits = 0] = entries.map((entry) => entry && toWriteUnits(bytesOfItem(entry)));
  // An entry with a new key is a deletion and an insertion.
  const [from, to] = [before, newRow].map((row) => JSON.stringify([row?.indexPk, row?.indexSk]));
  return from === to ? Math.max(oldUnits, nextUnits) : oldUnits + nextUnits;
}

/** Returns the consumed capacity of a table in the format of an answer. */
export const toConsumedCapacity = ({ name }: Table, units: number) => ({ TableName: name, CapacityUnits: units });

/** Returns the consumed capacity of writes per table. */
export function sumConsumedCapacity(
  writes: readonly PreparedWrite[],
  unitsOf: (write: PreparedWrite) => number,
): object[] {
  const byTable = Map.groupBy(writes, ({ table }) => table);
  return [...byTable].map(([table, all]) => {
    const units = all.reduce((sum, write) => sum + unitsOf(write), 0);
    return toConsumedCapacity(table, units);
  });
}
