import type { Request } from '../../request.ts';
import type { Broadcaster } from './broadcaster.ts';

const broadcasters = new WeakMap<Request['store'], Broadcaster>();

/** Serves streams of a store from now on. Returns a function that ends that. */
export function serveStreams({ store }: Pick<Request, 'store'>, broadcaster: Broadcaster): () => void {
  broadcasters.set(store, broadcaster);
  return () => void broadcasters.delete(store);
}

/** Finds the broadcaster of a store; undefined in a process that serves no streams, such as a function. */
export function findBroadcaster({ store }: Pick<Request, 'store'>): Broadcaster | undefined {
  return broadcasters.get(store);
}
