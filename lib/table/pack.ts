import { type ErrorDetail, invalidRequest } from '../errors.ts';
import { transactionBytesMax, transactionWritesMax, type Write, writeBytes } from './write.ts';

/** Writes that happen together or not at all. */
export interface Unit {
  /** What they change, for whoever is told that it is too much. */
  readonly what: string;
  readonly writes: readonly Write[];
}

/** How the store counts a transaction is documented in outline only; this keeps clear of its limit. */
const bytesMax = Math.floor(transactionBytesMax * 0.95);

/**
 * Puts units into as few transactions as their order allows, none of them torn apart.
 * @param reserved how many further writes each transaction must have room for.
 * @throws ApiError 400 that names every unit which alone is more than a transaction.
 */
export function packUnits<T extends Unit>(units: readonly T[], reserved: number): T[][] {
  const writesMax = transactionWritesMax - reserved;
  const packs: T[][] = [];
  const problems: ErrorDetail[] = [];
  let writes = Number.POSITIVE_INFINITY;
  let bytes = 0;
  for (const unit of units) {
    const unitBytes = unit.writes.reduce((sum, write) => sum + writeBytes(write), 0);
    if (unit.writes.length > writesMax || unitBytes > bytesMax) problems.push(tooLarge(unit, unitBytes, writesMax));
    if (writes + unit.writes.length > writesMax || bytes + unitBytes > bytesMax) {
      packs.push([]);
      writes = 0;
      bytes = 0;
    }
    packs.at(-1)?.push(unit);
    writes += unit.writes.length;
    bytes += unitBytes;
  }
  if (problems.length > 0) throw invalidRequest(problems);
  return packs;
}

function tooLarge({ what, writes }: Unit, bytes: number, writesMax: number): ErrorDetail {
  return {
    message:
      `The change of the ${what} would take ${writes.length} writes and ${bytes} bytes; the store carries out at most ` +
      `${writesMax} writes and ${bytesMax} bytes together.`,
  };
}
