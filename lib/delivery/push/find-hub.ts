import type { Request } from '../../request.ts';
import type { Hub } from './hub.ts';

const hubs = new WeakMap<Request['store'], Hub>();

/** Serves streams of a store from now on. Returns a function that ends that. */
export function serveStreams({ store }: Pick<Request, 'store'>, hub: Hub): () => void {
  hubs.set(store, hub);
  return () => void hubs.delete(store);
}

/** Finds the hub of a store; undefined in a process that serves no streams, such as a function. */
export function findHub({ store }: Pick<Request, 'store'>): Hub | undefined {
  return hubs.get(store);
}
