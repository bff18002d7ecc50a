import type { Key } from '../client/definition.ts';
import type { Store } from '../work.ts';
import { eventKeysIn, type Write } from './write.ts';

/** Is called with the keys of the event items that a transaction of this process has stored. */
export type CommitListener = (keys: readonly Key[]) => void;

const listeners = new WeakMap<Store, CommitListener>();

/** Sets the listener of a store for transactions of this process; undefined removes it. */
export function listenToCommits(store: Store, listener: CommitListener | undefined): void {
  if (listener === undefined) listeners.delete(store);
  else listeners.set(store, listener);
}

/** Calls the listener of a store, if there is one and the writes contain events. */
export function notifyCommitListener(store: Store, writes: readonly Write[]): void {
  const listener = listeners.get(store);
  if (listener === undefined) return;
  const keys = eventKeysIn(writes);
  if (keys.length > 0) listener(keys);
}
