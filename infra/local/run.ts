import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LocalServer } from '../../lib/http/local/local-server.ts';
import { findConsole } from '../console/release.ts';
import { Problem, wordsOf } from '../problem.ts';
import { type DataLock, lockDirectory } from './data-lock.ts';
import { checkpoint, type EmbeddedStore, startEmbeddedStore } from './embedded-store.ts';
import { removeRunning, writeRunning } from './running.ts';
import { type LocalSettings, readSettings } from './settings.ts';
import { openGate, type StoreGate } from './store-gate.ts';
import { describeStart, urlOf } from './welcome.ts';

/** `npm` repeats a signal that reached the whole process group; only one that comes later means impatience. */
const repeatedSignalMs = 500;
/** A signal to the whole group may end the store before it reaches us. */
const signalGraceMs = 100;

/** The folder of the embedded store, which is this process's alone. */
interface DataFolder {
  readonly directory: string;
  readonly lock: DataLock;
}

/** The parts that have been started so far, in the order of starting. */
interface Parts {
  data?: DataFolder;
  store?: EmbeddedStore;
  gate?: StoreGate;
  server?: LocalServer;
}

/**
 * Serves the API on this machine until a signal. It ends the process itself: with 0 after SIGINT, SIGTERM or SIGHUP, with
 * 1 and a line for each problem when it cannot start or loses its store. A failed start leaves no folder behind.
 */
export async function serveUntilSignal(): Promise<void> {
  const parts: Parts = {};
  let stopping = false;

  async function stop(exitCode: number): Promise<void> {
    stopping = true;
    await parts.server?.close();
    await parts.gate?.close();
    await parts.store?.stop();
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
    await start(parts, fail);
  } catch (error) {
    await fail(error);
  }
}

/** Puts the folder into a state in which it can be copied, or removes it if it was created for nothing. */
function leave({ directory, lock }: DataFolder, hasServed: boolean): void {
  if (!hasServed) {
    lock.discard();
    return;
  }
  checkpoint(storeFileIn(directory));
  removeRunning(directory);
  lock.release();
}

const storeFileIn = (directory: string) => join(directory, 'store.db');

/** A stop may take as long as the requests under way; a second signal means that nobody wants to wait. */
function stopOnSignals(stop: () => Promise<void>): void {
  let firstAt: number | undefined;
  function onSignal(): void {
    if (firstAt === undefined) {
      firstAt = Date.now();
      void stop();
    } else if (Date.now() - firstAt > repeatedSignalMs) {
      // The store's guard sees us go, and ends the store.
      process.exit(1);
    }
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
}

async function start(parts: Parts, fail: (error: unknown) => Promise<void>): Promise<void> {
  const settings = readSettings(process.env);
  const { storeEndpoint, dataDirectory } = settings;
  if (storeEndpoint === undefined && dataDirectory !== undefined) {
    parts.data = { directory: dataDirectory, lock: lockDirectory(dataDirectory) };
  }
  // Loading the functions and starting the store take about as long, so that they do it at the same time.
  const [{ openLocalStore: openStore, serve }, endpoint] = await Promise.all([
    import('./serve.ts'),
    storeEndpoint ?? startStore(settings, parts, fail),
  ]);
  const opened = await openStore(settings, endpoint);
  parts.server = await serve(settings);
  // Its own address is no business of anybody's.
  const shownStore = parts.gate?.endpoint ?? endpoint;
  const url = urlOf(settings.host, parts.server.port);
  if (parts.data !== undefined) writeRunning(parts.data.directory, { url, store: shownStore });
  const hasConsole = findConsole() !== undefined;
  console.log(describeStart(settings, { url, store: shownStore, ...opened, hasConsole }));
}

async function startStore(
  settings: LocalSettings,
  parts: Parts,
  fail: (error: unknown) => Promise<void>,
): Promise<string> {
  const { storePort, dataDirectory } = settings;
  const store = await startEmbeddedStore({ file: dataDirectory && storeFileIn(dataDirectory) });
  parts.store = store;
  void store.ended.then(async (lastWords) => {
    await sleep(signalGraceMs);
    await fail(new Problem(`The store stopped unexpectedly: ${lastWords}`));
  });
  parts.gate = await openGate(storePort, store.endpoint);
  return store.endpoint;
}
