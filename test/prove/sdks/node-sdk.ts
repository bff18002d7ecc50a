import { Unleash } from 'unleash-client';
import type { Flags } from './flags.ts';
import type { Promises } from './promises.ts';
import { intervalMs, proveServerSdk, type ServerSdk } from './server-sdk.ts';

type Mode = 'polling' | 'streaming';

/** Proves the official SDK of Node, polling or set to streaming, which it gives up at the first 404. */
export function proveNodeSdk(flags: Flags, application: string, mode: Mode): Promise<Promises> {
  const title = `unleash-client, ${mode}`;
  return proveServerSdk(flags, { title, application, start: (token, name) => started(flags.url, token, name, mode) });
}

function started(url: string, token: string, application: string | undefined, mode: Mode): ServerSdk {
  const seen = { ready: false, registered: false, unchanged: 0, errors: [] as string[] };
  const unleash = new Unleash({
    url: `${url}/api/`,
    appName: application ?? 'prove-wrong',
    disableMetrics: application === undefined,
    refreshInterval: intervalMs,
    metricsInterval: intervalMs,
    customHeaders: { Authorization: token },
    storageProvider: nothingStored,
    ...(mode === 'streaming' && { experimentalMode: { type: 'streaming' } }),
  });
  unleash.on('error', (error: Error) => seen.errors.push(error.message));
  unleash.on('synchronized', () => {
    seen.ready = true;
  });
  unleash.on('registered', () => {
    seen.registered = true;
  });
  unleash.on('unchanged', () => {
    seen.unchanged += 1;
  });
  return {
    isReady: async () => seen.ready && seen.registered,
    isEnabled: async (flag, context) => unleash.isEnabled(flag, context),
    payload: async (flag, context) => unleash.getVariant(flag, context).payload,
    unchanged: async () => seen.unchanged,
    errors: async () => seen.errors,
    async [Symbol.asyncDispose]() {
      unleash.destroy();
    },
  };
}

/** Storage that keeps nothing, so that an SDK uses no data of an earlier run. */
const nothingStored = {
  async set() {},
  async get() {
    return undefined;
  },
};
