import { once } from 'node:events';
import { Unleash } from 'unleash-client';
import { expect, test } from 'vitest';
import { bodyOf, type Client } from '../client.ts';
import { makeFeature, uniqueName } from '../features.ts';

const environment = 'development';
/** Interval at which the SDK asks, in milliseconds. */
const refreshInterval = 250;

/** The reads of applications. */
export function checkSdks(client: () => Client): void {
  test('the official SDK of Node reads a flag, and that it is switched on', async () => {
    const flag = await makeFeature(client());
    const { url, headers } = client();
    const wanted = { tokenName: uniqueName('token'), type: 'client', environment, projects: ['default'] };
    const answer = await client().post('/api/admin/api-tokens', wanted);
    const { secret } = bodyOf<{ secret: string }>(answer, 201);
    const sdk = new Unleash({
      url: `${url}/api/`,
      appName: 'contract',
      refreshInterval,
      disableMetrics: true,
      customHeaders: { ...headers, Authorization: secret },
      storageProvider: nothingStored,
    });
    // It tries again, and an event of this name without a listener is thrown.
    sdk.on('error', () => {});
    try {
      await once(sdk, 'synchronized');
      expect(sdk.isEnabled(flag)).toBe(false);
      await client().post(`/api/admin/projects/default/features/${flag}/environments/${environment}/on`, undefined);
      while (!sdk.isEnabled(flag)) await once(sdk, 'changed');
    } finally {
      sdk.destroy();
    }
  });
}

/** Storage without anything from an earlier run, which could stand in for what an SDK gets. */
const nothingStored = {
  async set() {},
  async get() {
    return undefined;
  },
};
