import { Promises } from '../../promises.ts';
import { proveServerSdk, proveValues, type ServerSdk, startMs } from '../server-sdk.ts';
import { startKillableServer } from './killable-server.ts';
import { proveFlip } from './prove-flip.ts';
import { watchValue } from './watch-value.ts';

/** The most time from a change to its effect. */
const streamedMs = 500;
/** The most time from the end of a connection to the next one: SDKs wait at random. */
export const reconnectMs = 20_000;
/** The most time from the revocation of a token to the end of its streams. */
export const revokedMs = 5_000;

/** Starts an SDK that is set to stream. */
export type StartStreaming = (url: string, token: string) => ServerSdk;

interface StreamingSdk {
  readonly title: string;
  /** True if it polls when a stream is refused. */
  readonly fallsBack: boolean;
  readonly start: StartStreaming;
}

/**
 * Proves that an SDK that streams has the right values, sees a change within 500 ms, goes on after a kill of the server without
 * getting everything again, never sees an older value, and loses its stream with its token.
 */
export async function proveStreaming({ title, fallsBack, start }: StreamingSdk): Promise<Promises> {
  const promises = new Promises(title);
  await using server = await startKillableServer();
  const { flags, proxy } = server;
  const token = await flags.token('client');
  await using sdk = start(proxy.url, token);
  await promises.within(startMs, 'ready', () => sdk.isReady());
  await proveValues(promises, sdk);
  await using history = watchValue(() => sdk.isEnabled('switched', {}));
  const isSwitched = async () => (await sdk.isEnabled('switched', {})) === true;
  const flip = () => proveFlip(promises, flags, isSwitched, streamedMs);
  await flip();
  await flip();
  await server.restart();
  await promises.within(reconnectMs, 'streams again after a restart', () => proxy.countStreams() === 1);
  await flip();
  promises.same('gets everything only once', proxy.countHydrations(), 1);
  promises.same('sees each value once, and none again', await history.end(), [false, true, false, true]);
  promises.same('never polls', proxy.countRequests('/api/client/features'), 0);
  await flags.revoke(token);
  await promises.within(revokedMs, 'its stream ends with its token', () => proxy.countStreams() === 0);
  await promises.within(reconnectMs, 'is refused then', () => proxy.countAnswers(401) > 0);
  const isReported = async () => (await sdk.errors()).some((message) => message.includes('401'));
  if (fallsBack) await promises.within(reconnectMs, 'reports that its token is wrong', isReported);
  promises.same('keeps its flags', await sdk.isEnabled('plain', {}), true);
  return promises;
}

/** Proves that an SDK that is set to stream polls a server that serves no streams. */
export async function proveFallback(title: string, start: StartStreaming): Promise<Promises> {
  await using server = await startKillableServer({ STREAMS_LIMIT: '0' });
  const { flags, proxy } = server;
  const promises = await proveServerSdk(flags, { title, start: (token) => start(proxy.url, token) });
  promises.same('asks for one stream', proxy.countAnswers(404), 1);
  return promises;
}
