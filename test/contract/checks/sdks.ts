import { once } from 'node:events';
import { expect, test } from 'vitest';
import { startNodeSdk } from '../../harness/node-sdk.ts';
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
    const options = { appName: 'contract', refreshInterval, disableMetrics: true, customHeaders: headers };
    await using sdk = startNodeSdk(url, secret, options);
    const { unleash } = sdk;
    await once(unleash, 'synchronized');
    expect(unleash.isEnabled(flag)).toBe(false);
    await client().post(`/api/admin/projects/default/features/${flag}/environments/${environment}/on`, undefined);
    while (!unleash.isEnabled(flag)) await once(unleash, 'changed');
  });
}
