import { serveStreams } from '../../lib/delivery/push/find-hub.ts';
import { Hub, type HubOptions } from '../../lib/delivery/push/hub.ts';
import type { Request } from '../../lib/request.ts';
import { listenToCommits } from '../../lib/store/transactions/commit-listener.ts';

/** Serves streams of a table in this process, as a local server does, but without its clock. */
export function serveStreamsHere(table: Request, options: Partial<HubOptions> = {}): Hub {
  const warn = (error: unknown) => {
    throw error;
  };
  const hub = new Hub(table, { streamsMax: 1_000, warn, ...options });
  serveStreams(table, hub);
  listenToCommits(table.store, () => hub.lookForChanges());
  return hub;
}
