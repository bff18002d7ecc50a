import { useCheckpointSigner } from '../../lib/history/signers/signer.ts';
import type { LocalServer } from '../../lib/http/local/local-server.ts';
import { openSmtp } from '../../lib/sign-in/send-by-smtp.ts';
import { useMailTransport } from '../../lib/sign-in/send-mail.ts';
import { setCommit } from '../commit.ts';
import { describeError, Problem } from '../problem.ts';
import type { LocalClock } from './clock.ts';
import { type EmbeddedStore, openEmbeddedStore } from './embedded-store.ts';
import { startObserving } from './observe.ts';
import { printWarnings, say } from './say.ts';
import type { LocalSending } from './sending.ts';
import { type LocalSettings, readSettings } from './settings.ts';
import type { LocalStreams } from './streams.ts';
import type { Tracing } from './traces/tracing.ts';
import { describeStart, urlOf } from './welcome.ts';

/** `npm` repeats a signal to the process group. A signal that comes later means that the user does not want to wait. */
const repeatedSignalMs = 500;

/** The parts that have been started, in the order of starting. */
interface Parts {
  store?: EmbeddedStore;
  streams?: LocalStreams;
  server?: LocalServer;
  clock?: LocalClock;
  sending?: LocalSending;
  tracing?: Tracing | undefined;
}

/**
 * Serves the API on this machine until a signal. Then ends the process: with 0 after SIGINT, SIGTERM or SIGHUP, or with 1 and a line
 * for each problem if it cannot start. A failed start leaves no new folder behind.
 */
export async function serveUntilSignal(): Promise<void> {
  const parts: Parts = {};
  let stopping = false;

  async function stop(exitCode: number): Promise<void> {
    stopping = true;
    parts.streams?.close();
    await parts.server?.close();
    // While the store does not answer, each waits for it.
    await Promise.all([parts.clock?.close(), parts.sending?.close()]);
    await parts.tracing?.close();
    await (parts.server === undefined ? parts.store?.discard() : parts.store?.close());
    process.exit(exitCode);
  }

  async function fail(error: unknown): Promise<void> {
    if (stopping) return;
    say(error instanceof Problem ? error.message : `Flagstaff cannot run: ${describeError(error)}`, 'ERROR');
    await stop(1);
  }

  printWarnings();
  stopOnSignals(() => stop(0));
  // Without a reader of its output, the server continues without printing.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => {});
  try {
    await start(parts);
  } catch (error) {
    await fail(error);
  }
}

/** Stops on the first signal, which waits for running requests. A second signal ends the process at once. */
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
  const [
    { openLocalStore: openStore, serve, addFirstPassword },
    { startStreams },
    { startClock },
    { startSending },
    endpoint,
  ] = await Promise.all([
    import('./serve.ts'),
    import('./streams.ts'),
    import('./clock.ts'),
    import('./sending.ts'),
    settings.storeEndpoint ?? openEmbedded(settings, parts),
    setCommit(),
  ]);
  useCheckpointSigner(settings.checkpointSigner);
  if (settings.smtpUrl !== undefined) useMailTransport(openSmtp(settings.smtpUrl));
  parts.tracing = await startObserving(settings);
  const acceptsLocalToken = await openStore(settings, endpoint);
  if (settings.streamsLimit > 0) parts.streams = await startStreams(settings, parts.store);
  parts.server = await serve(settings, parts.tracing);
  const url = urlOf(settings.host, parts.server.port);
  if (settings.runsClock) parts.clock = startClock();
  if (settings.sendsEvents) {
    // An integration must not make this service call itself.
    const ownPorts = [parts.server.port, Number(URL.parse(endpoint)?.port)];
    parts.sending = await startSending({ allowedHosts: settings.integrationHosts, ownPorts });
  }
  const adminPassword = await addFirstPassword(settings, endpoint);
  say(describeStart(settings, { url, acceptsLocalToken, adminPassword }));
}

async function openEmbedded({ dataDirectory, durability }: LocalSettings, parts: Parts): Promise<string> {
  parts.store = await openEmbeddedStore(dataDirectory, durability);
  return parts.store.address;
}
