import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../../harness/ports.ts';
import { Promises } from '../../promises.ts';
import { startNode } from '../node-sdk.ts';
import { intervalMs, startMs } from '../server-sdk.ts';
import { NotHere } from '../tools.ts';
import { type KillableServer, startKillableServer } from './killable-server.ts';
import { proveFlip } from './prove-flip.ts';
import { reconnectMs, revokedMs } from './streaming-sdk.ts';
import { watchValue } from './watch-value.ts';

type Mode = '--streaming' | '--delta';

/** An Edge that asks without a pause asks hundreds of times in this time. */
const stormMs = 5_000;
/** An Edge that waits between requests asks at most this often in the same time. */
const calmRequests = 2;
const path = '/api/client/streaming';
/** Edge passes a change on within this time, besides its interval. */
const passedOnMs = 1_000;
/** Edge 20.1 checks this often whether its interval is over. It asks for everything, also with `--delta`. */
const edgePollMs = 5_000;

/** A running Edge. It ends with the block that uses it. */
interface Edge extends AsyncDisposable {
  readonly url: string;
  isReady(): Promise<boolean>;
  /** The end of its log. */
  readLog(): string;
}

/**
 * Starts Unleash Edge in front of a server.
 * @throws NotHere unless `EDGE_PATH` names the program.
 */
async function startEdge(upstream: string, token: string, mode: Mode): Promise<Edge> {
  const { EDGE_PATH } = process.env;
  if (!EDGE_PATH) throw new NotHere('EDGE_PATH names no Unleash Edge.');
  const port = await freePort('127.0.0.1');
  const args = ['--interface', '127.0.0.1', '--port', String(port), 'edge', mode];
  const interval = ['--features-refresh-interval-seconds', String(intervalMs / 1_000)];
  const edge = spawn(EDGE_PATH, [...args, ...interval, '--upstream-url', upstream, '--tokens', token], {
    env: { PATH: process.env.PATH, RUST_LOG: 'info' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const endWithUs = () => void edge.kill('SIGKILL');
  process.once('exit', endWithUs);
  let log = '';
  for (const output of [edge.stdout, edge.stderr])
    output.on('data', (bytes: Buffer) => {
      log = `${log}${bytes}`.slice(-2_000);
    });
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    readLog: () => log,
    async isReady() {
      if (edge.exitCode !== null) throw new Error(`Edge ended: ${log}`);
      const answer = await fetch(`${url}/internal-backstage/ready`).catch(() => undefined);
      return answer?.ok === true && (await answer.text()).includes('READY');
    },
    async [Symbol.asyncDispose]() {
      endWithUs();
      if (edge.exitCode === null && edge.signalCode === null) await once(edge, 'exit');
      process.off('exit', endWithUs);
    },
  };
}

/**
 * Proves that an unmodified Edge in front of a server gets ready and passes changes on to an SDK behind it, also after a kill of the
 * server, and lets no older value through.
 */
export async function proveEdge(mode: Mode): Promise<Promises> {
  const promises = new Promises(`Edge ${mode}`);
  await using server = await startKillableServer();
  const { flags, proxy } = server;
  const token = await flags.token('client');
  await using edge = await startEdge(proxy.url, token, mode);
  await promises.within(startMs, 'ready', () => edge.isReady());
  await using sdk = startNode(edge.url, token, mode === '--streaming' ? 'streaming' : 'polling');
  await promises.within(startMs, 'an SDK behind it is ready', () => sdk.isReady());
  await using history = watchValue(() => sdk.isEnabled('switched', {}));
  const isSwitched = async () => (await sdk.isEnabled('switched', {})) === true;
  const flip = (milliseconds: number) => proveFlip(promises, flags, isSwitched, milliseconds);
  const changeMs = mode === '--streaming' ? passedOnMs : edgePollMs + 2 * intervalMs + passedOnMs;
  await flip(changeMs);
  await flip(changeMs);
  await server.restart();
  await flip(reconnectMs);
  await flip(changeMs);
  promises.same('an SDK behind it sees each value once', await history.end(), [false, true, false, true, false]);
  await proveModeOf(promises, mode, server, token);
  return promises;
}

/** Proves that Edge with `--streaming` streams, loses its stream with its token, and then does not ask without a pause. */
async function proveModeOf(
  promises: Promises,
  mode: Mode,
  { flags, proxy }: KillableServer,
  token: string,
): Promise<void> {
  if (mode === '--delta') return;
  promises.same('streams', proxy.countStreams(), 1);
  await flags.revoke(token);
  await promises.within(revokedMs, 'its stream ends with its token', () => proxy.countStreams() === 0);
  const requests = proxy.countRequests(path);
  await sleep(stormMs);
  promises.hold('does not ask without a pause then', proxy.countRequests(path) - requests <= calmRequests, requests);
}

/** Proves that Edge, in front of a server that serves no streams, is told so, and asks rarely. */
export async function proveEdgeRefusal(): Promise<Promises> {
  const promises = new Promises('Edge --streaming, without a stream');
  await using server = await startKillableServer({ STREAMS_LIMIT: '0' });
  const { flags, proxy } = server;
  await using edge = await startEdge(proxy.url, await flags.token('client'), '--streaming');
  await promises.within(startMs, 'is told', () => edge.readLog().includes('start Edge without --streaming'));
  await sleep(stormMs);
  promises.hold('does not ask without a pause', proxy.countRequests(path) <= calmRequests, proxy.countRequests(path));
  return promises;
}
