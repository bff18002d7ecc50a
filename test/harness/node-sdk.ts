import type { EventEmitter } from 'node:events';
import { Unleash, type UnleashConfig } from 'unleash-client';

const counted = ['synchronized', 'registered', 'changed', 'unchanged'] as const;

/** The official SDK of Node. It ends with the block that uses it. */
export interface NodeSdk extends AsyncDisposable {
  readonly unleash: Unleash;
  /** Counts of what it has told of, and the errors among that. */
  readonly seen: Record<(typeof counted)[number], number> & { readonly errors: string[] };
}

/** Starts the SDK against a server. It stores nothing, so that it uses no data of an earlier run. */
export function startNodeSdk(
  url: string,
  token: string,
  { customHeaders, ...more }: Partial<UnleashConfig> & Pick<UnleashConfig, 'appName'>,
): NodeSdk {
  const seen: NodeSdk['seen'] = { synchronized: 0, registered: 0, changed: 0, unchanged: 0, errors: [] };
  const unleash = new Unleash({
    url: `${url}/api/`,
    customHeaders: { ...customHeaders, Authorization: token } as Record<string, string>,
    storageProvider: { set: async () => {}, get: async () => undefined },
    skipInstanceCountWarning: true,
    ...more,
  });
  // An error without a listener is thrown, though it tries again; what it warns of is its own affair.
  unleash.on('error', (error: Error) => seen.errors.push(error.message));
  unleash.on('warn', () => undefined);
  for (const event of counted) {
    unleash.on(event, () => {
      seen[event] += 1;
    });
  }
  return {
    unleash,
    seen,
    async [Symbol.asyncDispose]() {
      unleash.destroy();
      // The SDK drops its own listener, and the failure of a request that still runs would end this process.
      const { repository } = unleash as unknown as { readonly repository: EventEmitter };
      repository.on('error', () => undefined);
    },
  };
}
