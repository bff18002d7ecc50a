import { setTimeout as sleep } from 'node:timers/promises';
import { startDynamoDbServer } from '../../../harness/dynamodb-server.ts';
import { startLocalProcess } from '../../../harness/local-process.ts';
import { freePort } from '../../../harness/ports.ts';
import { changeMs, Promises } from '../../promises.ts';
import { Flags } from '../flags.ts';
import { startNode } from '../node-sdk.ts';
import { intervalMs, startMs } from '../server-sdk.ts';
import { type CountingProxy, startCountingProxy } from './counting-proxy.ts';
import { startNginx } from './nginx.ts';
import { startPageInNode } from './signalled-page.ts';
import { reconnectMs } from './streaming-sdk.ts';
import { watchValue } from './watch-value.ts';

/** The time for which changes follow each other after each event. */
const unrestMs = 3_000;
const changePauseMs = 50;
/** The time for which a slow proxy holds bytes back. */
const holdMs = 1_000;

/** A store, a server that writes it, and two relays that read it. They end with the block that uses them. */
interface Relays extends AsyncDisposable {
  readonly flags: Flags;
  readonly urls: readonly string[];
  /** Kills the first relay without a warning. */
  killOne(): Promise<void>;
  /** Starts it again at the same address. */
  startOne(): Promise<void>;
}

async function openRelays(): Promise<Relays> {
  const stack = new AsyncDisposableStack();
  const store = await startDynamoDbServer({ file: undefined });
  stack.defer(() => store.stop());
  const DYNAMODB_ENDPOINT = store.endpoint;
  const writer = stack.use(await startLocalProcess({ store: 'memory', environment: { DYNAMODB_ENDPOINT } }));
  const flags = new Flags(writer);
  await flags.make();
  await flags.count();
  const relay = { DYNAMODB_ENDPOINT, RELAY: 'true', INIT_ADMIN_API_TOKENS: '' };
  const startRelay = async (port: number) =>
    startLocalProcess({ store: 'memory', environment: { ...relay, PORT: String(port) } });
  const port = await freePort('127.0.0.1');
  let one = await startRelay(port);
  stack.defer(() => one[Symbol.asyncDispose]());
  const other = stack.use(await startRelay(0));
  return {
    flags,
    urls: [one.url, other.url],
    async killOne() {
      process.kill(one.pid, 'SIGKILL');
      await one[Symbol.asyncDispose]();
    },
    async startOne() {
      one = await startRelay(port);
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** A client that reads the number that the server counts up. It ends with the block that uses it. */
interface Client extends AsyncDisposable {
  readonly name: string;
  count(): Promise<number>;
}

type Mode = Parameters<typeof startNode>[2];

async function startSdk(promises: Promises, name: string, url: string, token: string, mode: Mode): Promise<Client> {
  const sdk = startNode(url, token, mode);
  await promises.within(startMs, `${name}: ready`, () => sdk.isReady());
  return {
    name,
    count: async () => Number(((await sdk.payload('counted', {})) as { readonly value?: string } | undefined)?.value),
    [Symbol.asyncDispose]: () => sdk[Symbol.asyncDispose](),
  };
}

async function startPage(url: string, token: string): Promise<Client> {
  const page = await startPageInNode(url, token);
  return { ...page, name: 'OpenFeature', count: () => page.number('counted') };
}

/**
 * Proves that clients of two relays, whose store another server writes, never see an older value, and get the latest one: when a load
 * balancer moves them, when a relay is killed, and behind a proxy that holds bytes back, or nginx if it is installed.
 */
export async function proveRelays(): Promise<Promises> {
  const promises = new Promises('two relays');
  await using stack = new AsyncDisposableStack();
  const relays = stack.use(await openRelays());
  const { flags, urls } = relays;
  const nginx = stack.use(await startNginx(urls));
  const balancer = stack.use(await startCountingProxy(urls));
  const proxies: [name: string, CountingProxy][] = [['a slow proxy', await startCountingProxy(urls, holdMs)]];
  if (nginx !== undefined) proxies.push(['nginx', await startCountingProxy([nginx.url])]);
  const token = await flags.token('client');
  const clients = [stack.use(await startPage(balancer.url, await flags.token('frontend')))];
  for (const mode of ['streaming', 'polling', 'polling for changes'] as const)
    clients.push(stack.use(await startSdk(promises, mode, balancer.url, token, mode)));
  for (const [name, proxy] of proxies) {
    stack.use(proxy);
    clients.push(stack.use(await startSdk(promises, `streaming through ${name}`, proxy.url, token, 'streaming')));
  }
  const histories = clients.map(({ count }) => stack.use(watchValue(count)));

  const settle = async (when: string, milliseconds: number) => {
    const wanted = await flags.count();
    for (const { name, count } of clients) {
      const isPresent = async () => (await count()) === wanted;
      await promises.within(milliseconds, `${name}: has the present value ${when}`, isPresent);
    }
  };
  await settle('at first', intervalMs + changeMs + holdMs);
  await changeForAWhile(flags);
  for (const proxy of [balancer, ...proxies.map(([, proxy]) => proxy)]) proxy.cut();
  await changeForAWhile(flags);
  await settle('after a move', reconnectMs);
  await relays.killOne();
  await changeForAWhile(flags);
  await settle('after the end of a relay', reconnectMs);
  await relays.startOne();
  balancer.cut();
  await changeForAWhile(flags);
  await settle('after the return of the relay', reconnectMs);
  await settle('at rest', intervalMs + changeMs + holdMs);
  promises.same('an SDK and a page still stream', balancer.countStreams(), 2);
  for (const [name, proxy] of proxies) promises.same(`still streams through ${name}`, proxy.countStreams(), 1);
  for (const [index, { name }] of clients.entries()) {
    const values = ((await histories[index]?.end()) ?? []).map(Number);
    const isRising = values.every((value, place) => place === 0 || value > Number(values[place - 1]));
    promises.hold(`${name}: never sees an older value`, isRising, values);
  }
  return promises;
}

/** Makes one change after the other. */
async function changeForAWhile(flags: Flags): Promise<void> {
  for (const end = performance.now() + unrestMs; performance.now() < end; await sleep(changePauseMs))
    await flags.count();
}
