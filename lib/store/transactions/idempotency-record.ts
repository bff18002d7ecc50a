import type { Write } from './write.ts';

/** The items that each transaction of a request writes, so that the same request sent again carries nothing out twice. */
export interface IdempotencyRecord {
  /** Returns the write that keeps the result of the request, for its last transaction. */
  resultWrite(result: unknown): Write;
  /** Must be called after the transaction with `resultWrite`. */
  noteResultWritten(): void;
  /** Claims the key for a request of several transactions, before the first of them. */
  claim(): Promise<void>;
  /** The note that an earlier run kept in its first phase; undefined if no run has completed it. */
  readonly firstPhaseNote: string | undefined;
  /**
   * Returns the idempotency record for the first phase of a request whose other phases can be repeated: instead of a result it keeps a note,
   * and claims the key.
   */
  forFirstPhase(note: string): IdempotencyRecord;
  /** Returns the write that keeps the names of the units in a transaction that is not the last one. */
  completedPartWrite(names: readonly string[]): Write;
  /** Loads the names of all units that earlier transactions have stored. */
  loadCompletedParts(): Promise<ReadonlySet<string>>;
}
