import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LocalServer } from '../../lib/http/local-server.ts';
import { Problem, wordsOf } from '../problem.ts';
import { type DataLock, lockDirectory } from './data-lock.ts';
import { type EmbeddedStore, startEmbeddedStore } from './embedded-store.ts';
import { readSettings, type Settings } from './settings.ts';
import { adminTokensFor, describeStart } from './welcome.ts';

/** `npm` repeats a signal that reached the whole process group; only one that comes later means impatience. */
const repeatedSignalMs = 500;
/** A signal to the whole group may end the store before it reaches us. */
const signalGraceMs = 100;

/** What has been started so far, in the order of starting. */
interface Parts {
  lock?: DataLock;
  store?: EmbeddedStore;
  server?: LocalServer;
}

/**
 * Serves the API on this machine until it is told to stop. It ends the process itself: with 0 after SIGINT, SIGTERM or
 * SIGHUP, with 1 and a line for each problem when it cannot start or loses its store.
 */
export async function run(): Promise<void> {
  const parts: Parts = {};
  let stopping = false;

  async function stop(exitCode: number): Promise<void> {
    stopping = true;
    await parts.server?.close();
    await parts.store?.stop();
    parts.lock?.release();
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

/** A stop may take as long as the requests under way; whoever asks again does not want to wait. */
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
  if (settings.storeEndpoint === undefined && settings.dataDirectory !== undefined) {
    parts.lock = lockDirectory(settings.dataDirectory);
  }
  // Loading the functions and starting the store take about as long, so that they do it at the same time.
  const [{ openStore, serve }, endpoint] = await Promise.all([import('./serve.ts'), findStore(settings, parts, fail)]);
  const adminTokens = adminTokensFor(settings, endpoint);
  await openStore(settings, endpoint, adminTokens);
  parts.server = await serve(settings);
  console.log(describeStart(settings, endpoint, adminTokens, parts.server.port));
}

async function findStore(settings: Settings, parts: Parts, fail: (error: unknown) => Promise<void>): Promise<string> {
  const { storeEndpoint, storePort, dataDirectory } = settings;
  if (storeEndpoint !== undefined) return storeEndpoint;
  const file = dataDirectory && join(dataDirectory, 'store.db');
  parts.store = await startEmbeddedStore({ port: storePort, file });
  void parts.store.ended.then(async (lastWords) => {
    await sleep(signalGraceMs);
    await fail(new Problem(`The store ended while it was needed: ${lastWords}`));
  });
  return parts.store.endpoint;
}
