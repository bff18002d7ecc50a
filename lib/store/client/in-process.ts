import type { RequestOptions } from './operations.ts';

/** The response to a request in DynamoDB's protocol. */
export interface StoreAnswer {
  readonly status: number;
  /** The body, before its conversion to JSON. */
  readonly body: object;
}

/** A store in this process that implements DynamoDB's protocol. */
export interface InProcessStore {
  /**
   * Carries out an operation.
   * @param operation the name, such as `Query`.
   * @param input the body, before its conversion to JSON; the store does not keep a reference to it.
   */
  answer(operation: string, input: object, options?: RequestOptions): Promise<StoreAnswer>;
  /**
   * Waits until everything that was answered so far is on disk; undefined if it is already.
   * @throws Error if the disk fails.
   */
  awaitDurable(): Promise<void> | undefined;
  /** @throws Error with the name `damagedStoreName` if its file was found to be damaged, deleted or replaced. */
  assertSound(): void;
}

/** The name of the error for a store whose file needs an operator. */
export const damagedStoreName = 'DamagedStoreException';

/** The stores of this process by address, such as `file:///data/flagstaff.db`. */
const stores = new Map<string, InProcessStore>();

/** Directs all requests to an address to a store in this process instead of the network. */
export function registerInProcessStore(address: string, store: InProcessStore): void {
  stores.set(address, store);
}

/** Reverts `registerInProcessStore`, unless another store was registered under the address. */
export function removeInProcessStore(address: string, store: InProcessStore): void {
  if (stores.get(address) === store) stores.delete(address);
}

/** Returns the store in this process with an address, if any. */
export function findInProcessStore(address: string | undefined): InProcessStore | undefined {
  return address === undefined ? undefined : stores.get(address);
}
