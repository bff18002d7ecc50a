import { Promises } from '../../promises.ts';
import { proveServerSdk, proveValues, type ServerSdk, startMs } from '../server-sdk.ts';
import { type KillableServer, startKillableServer } from './killable-server.ts';
import { watchValue } from './watch-value.ts';

/** The most time from a change to its effect. */
const streamedMs = 500;
/** The most time from the end of a connection to the next one, which SDKs put off at random. */
export const reconnectMs = 20_000;
/** The most time from the end of a token to that of its streams. */
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
  const { flags, passage } = server;
  const token = await flags.token('client');
  await using sdk = start(passage.url, token);
  await promises.within(startMs, 'ready', () => sdk.isReady());
  await proveValues(promises, sdk);
  await using history = watchValue(() => sdk.isEnabled('switched', {}));
  const flip = () => proveFlip(promises, server, sdk);
  await flip();
  await flip();
  await server.restart();
  await promises.within(reconnectMs, 'streams again after a restart', () => passage.countStreams() === 1);
  await flip();
  promises.same('gets everything only once', passage.countHydrations(), 1);
  promises.same('sees each value once, and none again', await history.end(), [false, true, false, true]);
  promises.same('never polls', passage.countRequests('/api/client/features'), 0);
  await flags.revoke(token);
  await promises.within(revokedMs, 'its stream ends with its token', () => passage.countStreams() === 0);
  await promises.within(reconnectMs, 'is refused then', () => passage.countAnswers(401) > 0);
  const isSaid = async () => (await sdk.errors()).some((message) => message.includes('401'));
  if (fallsBack) await promises.within(reconnectMs, 'says that its token is wrong', isSaid);
  promises.same('keeps its flags', await sdk.isEnabled('plain', {}), true);
  return promises;
}

async function proveFlip(promises: Promises, { flags }: KillableServer, sdk: ServerSdk): Promise<void> {
  const wanted = await flags.flip();
  const isSeen = async () => (await sdk.isEnabled('switched', {})) === wanted;
  await promises.within(streamedMs, 'a change is seen', isSeen);
}

/** Proves that an SDK that is set to stream polls a server that serves no streams. */
export async function proveFallback(title: string, start: StartStreaming): Promise<Promises> {
  await using server = await startKillableServer({ STREAMS_LIMIT: '0' });
  const { flags, passage } = server;
  const promises = await proveServerSdk(flags, { title, start: (token) => start(passage.url, token) });
  promises.same('asks for one stream', passage.countAnswers(404), 1);
  return promises;
}
