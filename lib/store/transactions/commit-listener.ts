import { cachePerObject } from '../../values/cache.ts';
import type { Key } from '../client/definition.ts';
import type { Store } from '../work.ts';
import { eventKeysIn, type Write } from './write.ts';

/** Is called with the keys of the event items that a transaction of this process has stored. */
export type CommitListener = (keys: readonly Key[]) => void;

const listenersOf = cachePerObject((_: Store) => new Set<CommitListener>());

/** Adds a listener for transactions of this process in a store. Returns a function that removes it. */
export function listenToCommits(store: Store, listener: CommitListener): () => void {
  listenersOf(store).add(listener);
  return () => void listenersOf(store).delete(listener);
}

/** Calls the listeners of a store, if the writes contain events. */
export function notifyCommitListeners(store: Store, writes: readonly Write[]): void {
  const listeners = listenersOf(store);
  if (listeners.size === 0) return;
  const keys = eventKeysIn(writes);
  if (keys.length > 0) for (const listener of listeners) listener(keys);
}
