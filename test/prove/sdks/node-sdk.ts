import { startNodeSdk } from '../../harness/node-sdk.ts';
import type { Promises } from '../promises.ts';
import type { Flags } from './flags.ts';
import { measureWith } from './impact-metrics.ts';
import { proveFallback, proveStreaming, type StartStreaming } from './push/streaming-sdk.ts';
import { intervalMs, proveServerSdk, type ServerSdk } from './server-sdk.ts';

type Mode = 'polling' | 'polling for changes' | 'streaming';

/** The option that chooses a mode. */
const experiments: Readonly<Record<Mode, object>> = {
  polling: {},
  'polling for changes': { experimentalMode: { type: 'polling', format: 'delta' } },
  streaming: { experimentalMode: { type: 'streaming' } },
};

/** Proves the official SDK of Node, which polls for everything or for changes. */
export function proveNodeSdk(flags: Flags, application: string, mode: Exclude<Mode, 'streaming'>): Promise<Promises> {
  const title = `unleash-client, ${mode}`;
  return proveServerSdk(flags, { title, application, start: (token, name) => startNode(flags.url, token, mode, name) });
}

/** Proves the official SDK of Node, which streams. */
export function proveNodeStreaming(): Promise<Promises> {
  return proveStreaming({ title: 'unleash-client, streaming', fallsBack: true, start: startStreamingNode });
}

/** Proves that the official SDK of Node, set to stream, polls where no streams are served. */
export function proveNodeFallback(): Promise<Promises> {
  return proveFallback('unleash-client, without a stream', startStreamingNode);
}

const startStreamingNode: StartStreaming = (url, token) => startNode(url, token, 'streaming');

/** Starts the official SDK of Node. Without an application it reports nothing. */
export function startNode(url: string, token: string, mode: Mode, application?: string): ServerSdk {
  const { unleash, seen, ...sdk } = startNodeSdk(url, token, {
    appName: application ?? 'prove-silent',
    disableMetrics: application === undefined,
    refreshInterval: intervalMs,
    metricsInterval: intervalMs,
    ...experiments[mode],
  });
  return {
    isReady: async () => seen.synchronized > 0 && (application === undefined || seen.registered > 0),
    isEnabled: async (flag, context) => unleash.isEnabled(flag, context),
    payload: async (flag, context) => unleash.getVariant(flag, context).payload,
    unchanged: async () => seen.unchanged,
    errors: async () => seen.errors,
    measure: async (orders, seconds) => measureWith(unleash.impactMetrics, orders, seconds),
    ...sdk,
  };
}
