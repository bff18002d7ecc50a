import { Unleash } from 'unleash-client';
import type { Flags } from './flags.ts';
import { changeMs, Promises } from './promises.ts';

const intervalMs = 1_000;
const startMs = 10_000;

/** The official SDK of Node, polling or set to streaming, which it gives up at the first 404. */
export async function proveServerSdk(flags: Flags, appName: string, mode: 'polling' | 'streaming'): Promise<Promises> {
  const promises = new Promises(`unleash-client, ${mode}`);
  const seen = { ready: false, unchanged: 0, registered: false };
  const unleash = new Unleash({
    url: `${flags.url}/api/`,
    appName,
    refreshInterval: intervalMs,
    metricsInterval: intervalMs,
    customHeaders: { Authorization: await flags.token('client') },
    storageProvider: nothingStored,
    ...(mode === 'streaming' && { experimentalMode: { type: 'streaming' } }),
  });
  try {
    unleash.on('error', (error: Error) => promises.hold('no error', false, error.message));
    unleash.on('synchronized', () => {
      seen.ready = true;
    });
    unleash.on('unchanged', () => {
      seen.unchanged += 1;
    });
    unleash.on('registered', () => {
      seen.registered = true;
    });
    await promises.within(startMs, 'ready', () => seen.ready);
    await promises.within(startMs, 'registered', () => seen.registered);
    promises.same('plain', unleash.isEnabled('plain'), true);
    promises.same('targeted', unleash.isEnabled('targeted', { userId: '7' }), true);
    promises.same('not targeted', unleash.isEnabled('targeted', { userId: '8' }), false);
    promises.same('regional', unleash.isEnabled('regional', { properties: { country: 'NZ' } }), true);
    promises.same('variant', unleash.getVariant('text', { userId: '7' }).payload, { type: 'string', value: 'blue' });
    await promises.within(startMs, 'unchanged polls are answered 304', () => seen.unchanged > 0);
    for (let round = 0; round < 2; round += 1) {
      const wanted = await flags.flip();
      await promises.within(intervalMs + changeMs, 'a change is seen', () => unleash.isEnabled('switched') === wanted);
    }
  } finally {
    unleash.destroy();
  }
  await proveRefusal(flags, promises);
  return promises;
}

/** An SDK says that its token is wrong, and does not take it for anything else. */
async function proveRefusal({ url }: Flags, promises: Promises): Promise<void> {
  const errors: string[] = [];
  const unleash = new Unleash({
    url: `${url}/api/`,
    appName: 'prove-node-wrong',
    refreshInterval: intervalMs,
    disableMetrics: true,
    customHeaders: { Authorization: `*:development.${'0'.repeat(56)}` },
    storageProvider: nothingStored,
  });
  try {
    unleash.on('error', (error: Error) => errors.push(error.message));
    await promises.within(startMs, 'a wrong token is said', () => errors.some((message) => message.includes('401')));
  } finally {
    unleash.destroy();
  }
}

/** What an SDK has kept from an earlier run must not stand in for what it gets. */
const nothingStored = {
  async set() {},
  async get() {
    return undefined;
  },
};
