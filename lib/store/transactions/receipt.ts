import type { Write } from './write.ts';

/**
 * The items that the transactions of a request leave behind, each in itself, so that the same request sent again
 * carries nothing out twice.
 */
export interface Receipt {
  /** Keeps the result of the request: for its last transaction. */
  resultWrite(result: unknown): Write;
  /** Called when the transaction with `resultWrite` was carried out. */
  markWritten(): void;
  /** Claims the request for one that takes several transactions, before the first of them. */
  claim(): Promise<void>;
  /** The note of an earlier run's first step; undefined where none has come so far. */
  readonly begun: string | undefined;
  /**
   * The receipt for the first of several steps, where the others can be repeated: instead of the result it keeps a note
   * of what has begun, and claims the request.
   */
  beginning(note: string): Receipt;
  /** Keeps the names of what a transaction carries out that is not the last one. */
  partWrite(names: readonly string[]): Write;
  /** The names that all parts so far have kept. */
  completedParts(): Promise<ReadonlySet<string>>;
}
