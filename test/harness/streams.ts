import { Broadcaster, type BroadcasterOptions } from '../../lib/delivery/push/broadcaster.ts';
import { serveStreams } from '../../lib/delivery/push/find-broadcaster.ts';
import type { Request } from '../../lib/request.ts';
import { listenToCommits } from '../../lib/store/transactions/commit-listener.ts';

/** Serves streams of a table in this process, as a local server does, but without its clock. */
export function serveStreamsHere(table: Request, options: Partial<BroadcasterOptions> = {}): Broadcaster {
  const warn = (error: unknown) => {
    throw error;
  };
  const broadcaster = new Broadcaster(table, { streamsMax: 1_000, warn, ...options });
  serveStreams(table, broadcaster);
  listenToCommits(table.store, () => broadcaster.lookForChanges());
  return broadcaster;
}
