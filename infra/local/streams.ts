import { readFile } from 'node:fs/promises';
import { Broadcaster } from '../../lib/delivery/push/broadcaster.ts';
import { serveStreams } from '../../lib/delivery/push/find-broadcaster.ts';
import { createEnvironmentRequest } from '../../lib/request.ts';
import { listenToCommits } from '../../lib/store/transactions/commit-listener.ts';
import type { EmbeddedStore } from './embedded-store.ts';
import { metrics } from './metrics/metrics.ts';
import type { LocalSettings } from './settings.ts';
import { warn } from './warn.ts';

/** The streams of changes that this server serves. */
export interface LocalStreams {
  /** Ends all streams, and refuses new ones. The server itself waits until their connections are closed. */
  close(): void;
}

/** The time between two checks for changes of other processes, and for tokens that were deleted. */
const tickMs = 1_000;
/** The time between two checks of the store's file for changes of other processes. */
const watchMs = 100;
/** The files and connections that a server needs besides its streams. */
const otherFiles = 200;

/**
 * Serves streams of changes. Clients get changes of this process at once, and those of other processes within a second, or within a
 * tenth of a second if they use the same file.
 * @param store the embedded store, if there is one.
 */
export async function startStreams(
  { streamsLimit }: Pick<LocalSettings, 'streamsLimit'>,
  store?: Pick<EmbeddedStore, 'readVersion'>,
): Promise<LocalStreams> {
  await warnOfFewFiles(streamsLimit);
  const request = createEnvironmentRequest();
  const broadcaster = new Broadcaster(request, { streamsMax: streamsLimit, warn: warnOfFailure });
  const endServing = serveStreams(request, broadcaster);
  metrics.streams.show(() => broadcaster.size);
  metrics.streamsLimit.show(() => streamsLimit);
  const endListening = listenToCommits(request.store, () => broadcaster.lookForChanges());
  const timers = [setInterval(() => broadcaster.tick(), tickMs)];
  if (store !== undefined) timers.push(watch(store, () => broadcaster.lookForChanges()));
  return {
    close() {
      for (const timer of timers) clearInterval(timer);
      endListening();
      endServing();
      broadcaster.close();
    },
  };
}

/**
 * Calls a function soon after another process has changed the store, or if the store cannot be read. The function finds out why, so
 * that an error of the disk does not end the process.
 */
function watch(store: Pick<EmbeddedStore, 'readVersion'>, onChanged: () => void): NodeJS.Timeout {
  const readVersion = () => {
    try {
      return store.readVersion();
    } catch {
      return undefined;
    }
  };
  let version = readVersion();
  return setInterval(() => {
    const now = readVersion();
    if (now !== version) onChanged();
    version = now;
  }, watchMs);
}

/** Warns if this process may open fewer files than its streams need. Only Linux tells the limit. */
async function warnOfFewFiles(streamsLimit: number): Promise<void> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  const files = Number(/^Max open files\s+\d+\s+(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY);
  if (files >= streamsLimit + otherFiles) return;
  warn(`STREAMS_LIMIT is ${streamsLimit}, but this process may open only ${files} files; raise the limit (ulimit -n)`);
}

function warnOfFailure(error: unknown): void {
  warn('Looking for changes for streams failed, and will be tried again', error);
}
