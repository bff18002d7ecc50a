import { beforeAll, expect, test } from 'vitest';
import { endpoint } from '../../../lib/http/endpoint.ts';
import { joinEndpoints } from '../../../lib/http/join-endpoints.ts';
import { object, text } from '../../../lib/values/primitives.ts';
import { withRightsOfReports } from '../../harness/report-rights.ts';
import { World } from '../../harness/world.ts';
import { sharedService } from '../../specifications/specify.ts';

const base = { group: 'Test', summary: 'Test.', audience: 'client' } as const;
const said = { 200: object({ said: text }) };

const list = endpoint({ ...base, route: 'GET /api/client/things', responses: said }).handle(async () => ({
  said: 'list',
}));
const one = endpoint({ ...base, route: 'GET /api/client/things/{name}', responses: said }).handle(
  async ({ params }) => ({ said: params.name }),
);
const special = endpoint({ ...base, route: 'POST /api/client/things/special', rights: 'read', responses: said }).handle(
  async () => ({ said: 'special' }),
);
const readSpecial = endpoint({ ...base, route: 'GET /api/client/things/special', responses: said }).handle(
  async () => ({ said: 'read special' }),
);
const another = { method: 'PUT', path: '/api/client/things/{name}/another' } as const;
const handler = joinEndpoints([one, list, special, readSpecial], [another]);

const service = sharedService();
let authorization: string;
beforeAll(async () => {
  authorization = await new World(service).sdkToken('client');
});

/** Calls the function as its own URL does: without a route and without variables. */
async function call(method: string, rawPath: string, headers: object = { authorization }, routeKey = '$default') {
  const event = {
    version: '2.0',
    routeKey,
    rawPath,
    rawQueryString: '',
    headers,
    requestContext: { http: { method, path: rawPath, sourceIp: '203.0.113.7' } },
    isBase64Encoded: false,
  };
  const context = { awsRequestId: 'joined', getRemainingTimeInMillis: () => 29_000 };
  const { statusCode, headers: answered, body = '' } = await handler(event as never, context as never);
  return { status: statusCode, headers: answered, said: body === '' ? undefined : JSON.parse(body).said };
}

test('Each request goes to the endpoint of its path and method, and words take precedence over variables', async () => {
  expect(await call('GET', '/api/client/things')).toMatchObject({ status: 200, said: 'list' });
  expect(await call('GET', '/api/client/things/lamp')).toMatchObject({ status: 200, said: 'lamp' });
  expect(await call('GET', '/api/client/things/special')).toMatchObject({ said: 'read special' });
  expect(await call('POST', '/api/client/things/special')).toMatchObject({ said: 'special' });
  expect(await call('HEAD', '/api/client/things')).toMatchObject({ status: 200, said: undefined });
});

test('A path is decoded once, as a gateway does, and an invalid escape is refused', async () => {
  expect(await call('GET', '/api/client/things/a%3Aenabled')).toMatchObject({ said: 'a:enabled' });
  expect((await call('GET', '/api/client/things/%zz')).status).toBe(400);
});

test('A value with an escaped slash is one value at a function URL', async () => {
  expect(await call('GET', '/api/client/things/a%2Fb')).toMatchObject({ status: 200, said: 'a/b' });
});

test('A path that a gateway has decoded is not decoded again', async () => {
  const behindGateway = (path: string) => call('GET', path, { authorization }, 'ANY /api/client/{proxy+}');
  expect(await behindGateway('/api/client/things/a:enabled')).toMatchObject({ said: 'a:enabled' });
  expect(await behindGateway('/api/client/things/a%41')).toMatchObject({ said: 'a%41' });
});

test('A path of another function is answered with the methods that it has there', async () => {
  expect(await call('DELETE', '/api/client/things/lamp/another')).toMatchObject({
    status: 405,
    headers: { allow: 'PUT, OPTIONS' },
  });
});

test('A request without an endpoint gets the usual error', async () => {
  expect((await call('GET', '/api/client/missing')).status).toBe(404);
  expect((await call('GET', '/api/client/missing', {})).status).toBe(401);
  expect(await call('DELETE', '/api/client/things/special')).toMatchObject({
    status: 405,
    headers: { allow: 'POST, GET, HEAD, OPTIONS' },
  });
  expect(await call('OPTIONS', '/api/client/things', {})).toMatchObject({ status: 204 });
});

test('A function of SDKs ignores sessions, which its role cannot read', async () => {
  const cookie = `flagstaff-session=1.${'a'.repeat(43)}`;
  const ask = () => call('GET', '/api/admin/projects', { cookie });
  expect(await withRightsOfReports(service.table.store, ask)).toMatchObject({ status: 401 });
});
