import type { LocalServer } from '../../lib/http/local/local-server.ts';
import { answerInProcess } from '../../lib/store/client/in-process.ts';
import { findConsole } from '../console/release.ts';
import { Problem, wordsOf } from '../problem.ts';
import { type DataLock, lockDirectory } from './data-lock.ts';
import { openEmbeddedStore } from './embedded-store.ts';
import { removeRunning, writeRunning } from './running.ts';
import type { LocalSending } from './sending.ts';
import { type LocalSettings, readSettings } from './settings.ts';
import type { SqliteStore } from './sqlite/sqlite-store.ts';
import { openGate, type StoreGate } from './store-gate.ts';
import { describeStart, urlOf } from './welcome.ts';

/** `npm` repeats a signal that reached the whole process group; only one that comes later means impatience. */
const repeatedSignalMs = 500;

/** The folder of the embedded store, which is this process's alone. */
interface DataFolder {
  readonly directory: string;
  readonly lock: DataLock;
}

/** The parts that have been started so far, in the order of starting. */
interface Parts {
  data?: DataFolder;
  store?: SqliteStore;
  gate?: StoreGate;
  server?: LocalServer;
  sending?: LocalSending;
}

/**
 * Serves the API on this machine until a signal. It ends the process itself: with 0 after SIGINT, SIGTERM or SIGHUP, with
 * 1 and a line for each problem when it cannot start. A failed start leaves no folder behind.
 */
export async function serveUntilSignal(): Promise<void> {
  const parts: Parts = {};
  let stopping = false;

  async function stop(exitCode: number): Promise<void> {
    stopping = true;
    await parts.server?.close();
    await parts.sending?.close();
    await parts.gate?.close();
    await parts.store?.close();
    if (parts.data !== undefined) leave(parts.data, parts.server !== undefined);
    process.exit(exitCode);
  }

  async function fail(error: unknown): Promise<void> {
    if (stopping) return;
    console.error(error instanceof Problem ? error.message : `Flagstaff cannot run: ${wordsOf(error)}`);
    await stop(1);
  }

  stopOnSignals(() => stop(0));
  try {
    await start(parts);
  } catch (error) {
    await fail(error);
  }
}

/** Gives the folder free, or removes it if it was created for nothing. */
function leave({ directory, lock }: DataFolder, hasServed: boolean): void {
  if (!hasServed) {
    lock.discard();
    return;
  }
  removeRunning(directory);
  lock.release();
}

/** A stop may take as long as the requests under way; a second signal means that nobody wants to wait. */
function stopOnSignals(stop: () => Promise<void>): void {
  let firstAt: number | undefined;
  function onSignal(): void {
    if (firstAt === undefined) {
      firstAt = Date.now();
      void stop();
    } else if (Date.now() - firstAt > repeatedSignalMs) {
      process.exit(1);
    }
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
}

async function start(parts: Parts): Promise<void> {
  const settings = readSettings(process.env);
  const { storeEndpoint, dataDirectory } = settings;
  if (storeEndpoint === undefined && dataDirectory !== undefined) {
    parts.data = { directory: dataDirectory, lock: lockDirectory(dataDirectory) };
  }
  const [{ openLocalStore: openStore, serve }, { startSending }, endpoint] = await Promise.all([
    import('./serve.ts'),
    import('./sending.ts'),
    storeEndpoint ?? startStore(settings, parts),
  ]);
  const opened = await openStore(settings, endpoint);
  parts.server = await serve(settings);
  const url = urlOf(settings.host, parts.server.port);
  if (settings.sendsEvents) {
    // No integration may make this service call itself.
    const ownPorts = [parts.server.port, Number(URL.parse(endpoint)?.port)];
    parts.sending = await startSending({ allowedHosts: settings.integrationHosts, ownPorts });
  }
  if (parts.data !== undefined) writeRunning(parts.data.directory, { url, store: endpoint });
  const hasConsole = findConsole() !== undefined;
  console.log(describeStart(settings, { url, store: endpoint, ...opened, hasConsole }));
}

async function startStore({ storePort, dataDirectory }: LocalSettings, parts: Parts): Promise<string> {
  parts.store = await openEmbeddedStore(dataDirectory);
  parts.gate = await openGate(storePort, parts.store);
  const { endpoint } = parts.gate;
  answerInProcess(endpoint, parts.store);
  return endpoint;
}
