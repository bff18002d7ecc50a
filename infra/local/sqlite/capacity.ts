import { bytesOfItem } from './attributes.ts';
import { indexEntry, itemIn, type Table } from './tables.ts';
import type { Prepared } from './writes.ts';

/* The units that DynamoDB's documentation counts for a request. */

/** The units of a read; one that may lag costs half. */
export const readUnits = (bytes = 0, isConsistent = false) =>
  Math.max(1, Math.ceil(bytes / 4096)) * (isConsistent ? 1 : 0.5);

const unitsToWrite = (bytes: number) => Math.max(1, Math.ceil(bytes / 1024));

/**
 * The units of a write: those of the larger of the two states of the item, and of the index, which follows once.
 * @param times the times that the item is written.
 */
export function writeUnits(write: Prepared, times = 1): number {
  const own = unitsToWrite(Math.max(write.before?.bytes ?? 0, write.kept?.bytes ?? 0));
  return times * own + (write.kind === 'ConditionCheck' ? 0 : indexUnits(write));
}

function indexUnits({ table, before, after, kept }: Prepared): number {
  if (!before?.indexPk && !kept?.indexPk) return 0;
  const entries = [before && itemIn(before), after].map((item) => indexEntry(table, item));
  const [old, next] = entries.map((entry) => JSON.stringify(entry));
  if (old === next) return 0;
  const [oldUnits = 0, nextUnits = 0] = entries.map((entry) => entry && unitsToWrite(bytesOfItem(entry)));
  // An entry that moves is removed and put.
  const [from, to] = [before, kept].map((each) => JSON.stringify([each?.indexPk, each?.indexSk]));
  return from === to ? Math.max(oldUnits, nextUnits) : oldUnits + nextUnits;
}

/** The capacity that a request has consumed of a table, as an answer tells of it. */
export const toConsumedCapacity = ({ name }: Table, units: number) => ({ TableName: name, CapacityUnits: units });

/** The capacity that writes have consumed of each table. */
export function sumConsumedCapacity(writes: readonly Prepared[], unitsOf: (write: Prepared) => number): object[] {
  const byTable = Map.groupBy(writes, ({ table }) => table);
  return [...byTable].map(([table, all]) => {
    const units = all.reduce((sum, write) => sum + unitsOf(write), 0);
    return toConsumedCapacity(table, units);
  });
}
