import { UnleashClient } from 'unleash-proxy-client';
import type { Address } from '../../harness/http-call.ts';
import { changeMs, Promises } from '../promises.ts';
import type { Flags } from './flags.ts';
import { type MeasuringSdk, measureWith, proveMeasuring } from './impact-metrics.ts';

const intervalMs = 1_000;
const startMs = 20_000;

/** The way in which the SDK of pages asks. */
export type PageMethod = 'GET' | 'POST';

/** The SDK of pages, in this process or in a browser, which polls every second. It ends with the block that uses it. */
export interface PageSdk extends AsyncDisposable, MeasuringSdk {
  isReady(): Promise<boolean>;
  isEnabled(flag: string): Promise<boolean>;
  payload(flag: string): Promise<unknown>;
  updateContext(context: object): Promise<unknown>;
  /** Errors that it has told of. */
  errors(): Promise<readonly unknown[]>;
}

/** The context that it starts with. */
export const pageContext = { userId: '7', properties: { country: 'NZ' } };

/** Proves that an SDK of pages has the right values, sees changes in time, and says that a token is wrong. */
export async function provePage(
  flags: Flags,
  title: string,
  application: string,
  start: (clientKey: string) => Promise<PageSdk>,
): Promise<Promises> {
  const promises = new Promises(title);
  await using sdk = await start(await flags.token('frontend'));
  await promises.within(startMs, 'ready', () => sdk.isReady());
  for (const flag of ['plain', 'targeted', 'regional']) promises.same(flag, await sdk.isEnabled(flag), true);
  promises.same('unknown', await sdk.isEnabled('unknown'), false);
  promises.same('variant', await sdk.payload('text'), { type: 'string', value: 'blue' });
  await sdk.updateContext({ userId: '8', properties: { country: 'CH' } });
  for (const flag of ['targeted', 'regional']) {
    promises.same(`not ${flag} in another context`, await sdk.isEnabled(flag), false);
  }
  for (let round = 0; round < 2; round += 1) {
    const wanted = await flags.flip();
    const isSeen = async () => (await sdk.isEnabled('switched')) === wanted;
    await promises.within(intervalMs + changeMs, 'a change is seen', isSeen);
  }
  await proveMeasuring(promises, flags, application, sdk);
  promises.same('no error', await sdk.errors(), []);
  // A token of a server is not for pages.
  await using refused = await start(await flags.token('client'));
  const isSaid = async () => JSON.stringify(await refused.errors()).includes('403');
  await promises.within(startMs, 'a wrong token is said', isSaid);
  return promises;
}

/** Proves the official SDK of browsers, with GET or with POST. */
export function provePageSdk(flags: Flags, appName: string, method: PageMethod): Promise<Promises> {
  return provePage(flags, `unleash-proxy-client, ${method}`, appName, async (clientKey) => {
    const seen = { ready: false, errors: [] as unknown[] };
    const client = pageClient(flags, clientKey, { appName, usePOSTrequests: method === 'POST', context: pageContext });
    client.on('error', (error: unknown) => seen.errors.push(error));
    client.on('ready', () => {
      seen.ready = true;
    });
    await client.start();
    return {
      isReady: async () => seen.ready,
      isEnabled: async (flag) => client.isEnabled(flag),
      payload: async (flag) => client.getVariant(flag).payload,
      updateContext: (context) => client.updateContext(context),
      errors: async () => seen.errors,
      measure: async (orders, seconds) => measureWith(client.impactMetrics, orders, seconds),
      [Symbol.asyncDispose]: async () => client.stop(),
    };
  });
}

/** The official SDK of browsers, which stores nothing. */
export function pageClient(
  { url }: Pick<Address, 'url'>,
  clientKey: string,
  more: Pick<
    ConstructorParameters<typeof UnleashClient>[0],
    'appName' | 'context' | 'disableMetrics' | 'usePOSTrequests'
  >,
): UnleashClient {
  return new UnleashClient({
    url: `${url}/api/frontend`,
    clientKey,
    refreshInterval: intervalMs / 1_000,
    metricsInterval: 1,
    // A client that is stopped within a first interval of its own would send metrics for ever.
    metricsIntervalInitial: 0,
    fetch,
    storageProvider: { async save() {}, async get() {} },
    ...more,
  });
}
