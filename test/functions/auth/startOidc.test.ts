import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { oidcProviderSettings } from '../../harness/oidc-provider.ts';
import { freshService } from '../../harness/service.ts';
import { sendSignIn } from '../../harness/sign-in.ts';
import { World } from '../../harness/world.ts';
import { linesWrittenBy } from '../../harness/written-lines.ts';
import { specify } from '../../specifications/specify.ts';

// What comes of it is in finishOidc.test.ts.
specify('startOidc', {
  route: 'GET /auth/oidc/login',
  may: 'anyone',
  given: async (world) => world.ask('POST', '/api/admin/auth/oidc/settings', await oidcProviderSettings()),
  again: 'once more',
  waits: 2,
});

/** The address of a server that says this wherever it is asked. */
async function serverThatSays(body: string): Promise<string> {
  const server = createServer((_, response) => response.setHeader('content-type', 'application/json').end(body));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // It goes with its process.
  server.unref();
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('With a provider that', () => {
  test.each([
    ['cannot be reached', async () => 'http://127.0.0.1:1'],
    ['sends no JSON', () => serverThatSays('<html>')],
    ['says that it is another one', () => serverThatSays(JSON.stringify({ issuer: 'https://other.example' }))],
  ])('%s, the refusal says so, the log says why, and passwords go on', async (_what, addressOf) => {
    const service = await freshService();
    const settings = { ...(await oidcProviderSettings()), discoverUrl: await addressOf() };
    expect((await service.post('/api/admin/auth/oidc/settings', settings)).status).toBe(200);
    const { log } = await linesWrittenBy(async () => {
      const answer = await service.get('/auth/oidc/login', { token: null });
      expect(answer).toMatchObject({ status: 401, body: { name: 'AuthenticationRequired' } });
      expect(answer.body.message).toMatch(/^The identity provider cannot be reached/);
    });
    expect(log).toMatchObject([
      { reason: expect.stringMatching(/^The identity provider does not say what it is: \w/) },
    ]);
    const { username, password } = await new World(service).person();
    expect((await sendSignIn(service, { username, password })).status).toBe(200);
  });
});
