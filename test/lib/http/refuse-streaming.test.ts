import { describe, expect, test } from 'vitest';
import { getAllClientFeatures } from '../../../functions/client/client.ts';
import { joinEndpoints } from '../../../lib/http/join-endpoints.ts';
import { toReply } from '../../harness/gateway.ts';
import { recordStoreRequests } from '../../harness/store-requests.ts';
import { deployedRoutes } from '../../infra/deployed-routes.ts';
import { sharedWorld } from '../../specifications/specify.ts';

const { service, world } = sharedWorld();

const path = '/api/client/streaming';
/** The headers of Edge 20.1 when it streams. It asks again at once after any error, and some seconds after the end of a stream. */
const edge = { accept: 'text/event-stream', 'unleash-appname': 'edge-eu', 'unleash-client-spec': '5.2.2' };
/** Later ones stop asking after a 403. */
const laterEdge = { ...edge, 'unleash-sdk-type': 'edge' };
const sdk = {
  accept: 'text/event-stream',
  'unleash-appname': 'shop',
  'unleash-sdk': 'unleash-node-sdk:6.12.1',
  'unleash-client-spec': '5.2.0',
};
/** The reply after which Edge 20.1 asks again in half a minute. */
const endedStream = (name: string) => ({
  status: 200,
  headers: expect.objectContaining({ 'content-type': 'text/event-stream' }),
  text: expect.stringMatching(new RegExp(`^retry: 30000\\nevent: refused\\ndata: \\{.*"name":"${name}".*\\}\\n\\n$`)),
});

/** The ways to ask a deployed function: behind a gateway, and by its own URL. */
const deployed = joinEndpoints([getAllClientFeatures]);
const invokeAs = (routeKey: string) => async (target: string, headers: Readonly<Record<string, string>>) => {
  const event = {
    version: '2.0',
    routeKey,
    rawPath: target,
    rawQueryString: '',
    headers,
    requestContext: { http: { method: 'GET', path: target, sourceIp: '203.0.113.7' } },
    isBase64Encoded: false,
  };
  process.env.TABLE_NAME = service.table.store.name;
  return toReply(
    await deployed(event as never, { awsRequestId: 'streaming', getRemainingTimeInMillis: () => 29_000 } as never),
  );
};
const ways = [
  ['a function behind the gateway', invokeAs('ANY /api/client/{proxy+}')],
  ['a function by its URL', invokeAs('$default')],
] as const;

describe.each(ways)('%s', (_, ask) => {
  test.each([path, '/api/client/streaming/', '//api//Client/streaming'])(
    'refuses Edge a stream at %s, whatever its token, so that it stops asking or asks rarely, without asking the store',
    async (target) => {
      const tokens = [await world.clientToken(), await world.frontendToken(), `*:development.${'0'.repeat(32)}`, ''];
      const requests = await recordStoreRequests(service.table, async () => {
        for (const authorization of tokens) {
          const credentials = { ...(authorization && { authorization }) };
          expect(await ask(target, { ...edge, ...credentials })).toMatchObject(endedStream('NotFoundError'));
          expect((await ask(target, { ...laterEdge, ...credentials })).status).toBe(403);
        }
      });
      expect(requests).toEqual([]);
    },
  );

  test('refuses streams, so that SDKs poll, without looking up their tokens', async () => {
    const authorization = await world.clientToken();
    const requests = await recordStoreRequests(service.table, async () => {
      expect((await ask(path, { ...sdk, authorization })).status).toBe(404);
      expect((await ask(path, sdk)).status).toBe(404);
    });
    expect(requests).toEqual([]);
  });
});

test('A server that serves no streams refuses Edge so that it asks rarely or stops, and SDKs so that they poll', async () => {
  const token = await world.clientToken();
  expect(await service.get(path, { token, headers: edge })).toMatchObject(endedStream('NotFoundError'));
  expect((await service.get(path, { token, headers: laterEdge })).status).toBe(403);
  expect((await service.get(path, { token, headers: sdk })).status).toBe(404);
});

test('A server refuses Edge a wrong token so that it asks rarely', async () => {
  const token = `*:development.${'0'.repeat(32)}`;
  expect(await service.get(path, { token, headers: edge })).toMatchObject(endedStream('AuthenticationRequired'));
  for (const headers of [laterEdge, sdk]) expect((await service.get(path, { token, headers })).status).toBe(401);
});

test('Streams have no route of their own on AWS, and use that of the other SDK paths', () => {
  const routes = deployedRoutes.map(({ route }) => route);
  expect(routes).toContain('ANY /api/client/{proxy+}');
  expect(routes.filter((route) => route.includes('streaming'))).toEqual([]);
});
