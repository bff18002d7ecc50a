import { UnleashClient } from 'unleash-proxy-client';
import type { Flags } from './flags.ts';
import { changeMs, Promises } from './promises.ts';

const intervalSeconds = 1;
const startMs = 10_000;

/** Proves the official SDK of browsers, with GET or with POST. */
export async function provePageSdk(flags: Flags, appName: string, method: 'GET' | 'POST'): Promise<Promises> {
  const promises = new Promises(`unleash-proxy-client, ${method}`);
  const client = clientOf(flags, appName, await flags.token('frontend'), method);
  const seen = { ready: false };
  try {
    client.on('error', (error: unknown) => promises.hold('no error', false, error));
    client.on('ready', () => {
      seen.ready = true;
    });
    await client.start();
    await promises.within(startMs, 'ready', () => seen.ready);
    promises.same('plain', client.isEnabled('plain'), true);
    promises.same('targeted', client.isEnabled('targeted'), true);
    promises.same('regional', client.isEnabled('regional'), true);
    promises.same('unknown', client.isEnabled('unknown'), false);
    promises.same('variant', client.getVariant('text').payload, { type: 'string', value: 'blue' });
    await client.updateContext({ userId: '8', properties: { country: 'CH' } });
    promises.same('not targeted in another context', client.isEnabled('targeted'), false);
    promises.same('not regional in another context', client.isEnabled('regional'), false);
    for (let round = 0; round < 2; round += 1) {
      const wanted = await flags.flip();
      await promises.within(
        intervalSeconds * 1_000 + changeMs,
        'a change is seen',
        () => client.isEnabled('switched') === wanted,
      );
    }
  } finally {
    client.stop();
  }
  await proveRefusal(flags, promises, method);
  return promises;
}

async function proveRefusal(flags: Flags, promises: Promises, method: 'GET' | 'POST'): Promise<void> {
  const errors: unknown[] = [];
  // A token of a server is not for pages.
  const client = clientOf(flags, 'prove-page-wrong', await flags.token('client'), method);
  client.on('error', (error: unknown) => errors.push(error));
  await client.start();
  await promises.within(startMs, 'a wrong token is said', () => JSON.stringify(errors).includes('403'));
  client.stop();
}

function clientOf({ url }: Flags, appName: string, clientKey: string, method: 'GET' | 'POST'): UnleashClient {
  return new UnleashClient({
    url: `${url}/api/frontend`,
    clientKey,
    appName,
    refreshInterval: intervalSeconds,
    metricsInterval: 1,
    // A client that is stopped within a first interval of its own would send metrics for ever.
    metricsIntervalInitial: 0,
    usePOSTrequests: method === 'POST',
    context: { userId: '7', properties: { country: 'NZ' } },
    fetch,
    storageProvider: { async save() {}, async get() {} },
  });
}
