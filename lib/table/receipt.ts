import type { Write } from './transact.ts';

/**
 * What the transactions of a request leave behind, each in itself, so that the same request sent again carries nothing
 * out twice.
 */
export interface Receipt {
  /** Keeps what the request results in: for its last transaction. */
  whole(result: unknown): Write;
  /** Is told that the transaction with `whole` was carried out. */
  settle(): void;
  /** Claims the request for one that takes several transactions, before the first of them. */
  hold(): Promise<void>;
  /** Keeps the names of what a transaction carries out that is not the last one. */
  part(names: readonly string[]): Write;
  /** The names that all parts so far have kept. */
  finished(): Promise<ReadonlySet<string>>;
}
