import { transactionBytesMax, transactionWritesMax, type Write, writeBytes } from './transact.ts';

/** Writes that happen together or not at all. */
export interface Unit {
  readonly writes: readonly Write[];
}

/** How the store counts a transaction is documented in outline only; this keeps clear of its limit. */
const bytesMax = transactionBytesMax * 0.95;

/**
 * Puts units into as few transactions as their order allows, none of them torn apart.
 * @param reserved how many further writes each transaction must have room for.
 */
export function packUnits<T extends Unit>(units: readonly T[], reserved: number): T[][] {
  const packs: T[][] = [];
  let writes = Number.POSITIVE_INFINITY;
  let bytes = 0;
  for (const unit of units) {
    const unitBytes = unit.writes.reduce((sum, write) => sum + writeBytes(write), 0);
    if (writes + unit.writes.length > transactionWritesMax - reserved || bytes + unitBytes > bytesMax) {
      packs.push([]);
      writes = 0;
      bytes = 0;
    }
    packs.at(-1)?.push(unit);
    writes += unit.writes.length;
    bytes += unitBytes;
  }
  return packs;
}
