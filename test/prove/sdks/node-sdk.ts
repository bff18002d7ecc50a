import { startNodeSdk } from '../../harness/node-sdk.ts';
import type { Promises } from '../promises.ts';
import type { Flags } from './flags.ts';
import { intervalMs, proveServerSdk, type ServerSdk } from './server-sdk.ts';

type Mode = 'polling' | 'polling for changes' | 'streaming';

/** The option that chooses a mode. */
const experiments: Readonly<Record<Mode, object>> = {
  polling: {},
  'polling for changes': { experimentalMode: { type: 'polling', format: 'delta' } },
  streaming: { experimentalMode: { type: 'streaming' } },
};

/** Proves the official SDK of Node: polling for everything or for changes, or set to streaming, which it gives up at the first 404. */
export function proveNodeSdk(flags: Flags, application: string, mode: Mode): Promise<Promises> {
  const title = `unleash-client, ${mode}`;
  return proveServerSdk(flags, { title, application, start: (token, name) => started(flags.url, token, name, mode) });
}

function started(url: string, token: string, application: string | undefined, mode: Mode): ServerSdk {
  const { unleash, seen, ...sdk } = startNodeSdk(url, token, {
    appName: application ?? 'prove-wrong',
    disableMetrics: application === undefined,
    refreshInterval: intervalMs,
    metricsInterval: intervalMs,
    ...experiments[mode],
  });
  return {
    isReady: async () => seen.synchronized > 0 && seen.registered > 0,
    isEnabled: async (flag, context) => unleash.isEnabled(flag, context),
    payload: async (flag, context) => unleash.getVariant(flag, context).payload,
    unchanged: async () => seen.unchanged,
    errors: async () => seen.errors,
    ...sdk,
  };
}
