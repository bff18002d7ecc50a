import type { Key } from '../client/definition.ts';
import type { Store } from '../work.ts';
import { eventKeysIn, type Write } from './write.ts';

/** Hears of the items of events that a transaction of this process has put into a store. */
export type CommitListener = (keys: readonly Key[]) => void;

const listeners = new WeakMap<Store, CommitListener>();

/** Tells a listener of the events of each transaction of this process from now on; undefined tells nobody any more. */
export function listenToCommits(store: Store, listener: CommitListener | undefined): void {
  if (listener === undefined) listeners.delete(store);
  else listeners.set(store, listener);
}

/** Tells the listener, if there is one, which items of events were put. */
export function notifyCommitListener(store: Store, writes: readonly Write[]): void {
  const listener = listeners.get(store);
  if (listener === undefined) return;
  const keys = eventKeysIn(writes);
  if (keys.length > 0) listener(keys);
}
