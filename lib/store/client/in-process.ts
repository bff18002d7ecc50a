import type { RequestOptions } from './operations.ts';

/** The answer to a request of DynamoDB's protocol. */
export interface StoreAnswer {
  readonly status: number;
  /** The object that would be sent as JSON. */
  readonly body: object;
}

/** A store of this process that carries out the operations of DynamoDB's protocol. */
export interface InProcessStore {
  /**
   * @param operation its name, such as `Query`.
   * @param input the object that would be sent as JSON; the store keeps nothing of it.
   */
  answer(operation: string, input: object, options?: RequestOptions): Promise<StoreAnswer>;
  /**
   * Waits until all is on disk that answers have told of so far; undefined where it is.
   * @throws Error where the disk does not take it.
   */
  kept(): Promise<void> | undefined;
  /** @throws Error of the name `damagedStore` where its file is damaged, gone or replaced, as far as that was noticed. */
  assertSound(): void;
}

/** Name of the error of a store whose file somebody has to look after. */
export const damagedStore = 'DamagedStoreException';

/** By the address that the environment gives them, such as `file:///data/flagstaff.db`. */
const stores = new Map<string, InProcessStore>();

/** Hands requests to an address over to a store of this process from now on, rather than to the network. */
export function answerInProcess(address: string, store: InProcessStore): void {
  stores.set(address, store);
}

/** Ends that, unless another store has taken the address. */
export function leaveProcess(address: string, store: InProcessStore): void {
  if (stores.get(address) === store) stores.delete(address);
}

/** Returns the store of this process that has an address, if there is one. */
export function storeAt(address: string | undefined): InProcessStore | undefined {
  return address === undefined ? undefined : stores.get(address);
}
