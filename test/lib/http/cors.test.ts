import { describe, expect, test, vi } from 'vitest';
import { endpoint } from '../../../lib/http/endpoint.ts';
import { frontendOrigins } from '../../../lib/http/origins.ts';
import { sharedWorld } from '../../specifications/specify.ts';
import { call } from './requests.ts';

const base = { group: 'Test', summary: 'Test.', responses: { 200: null } } as const;
const forPages = endpoint({ ...base, route: 'GET /api/frontend/things', audience: 'frontend' }).handle(async () => {});
const forServers = endpoint({ ...base, route: 'GET /api/client/things', audience: 'client' }).handle(async () => {});

const { service, world } = sharedWorld();

const shop = 'https://shop.example.com';
const isAboutCors = ([name]: [string, unknown]) => name.startsWith('access-control') || name === 'vary';
const corsIn = (headers: object = {}) => Object.fromEntries(Object.entries(headers).filter(isAboutCors));

describe('A page of another site', () => {
  test('may read replies and errors of the operations for it, and their ETags', async () => {
    const authorization = await world.sdkToken('frontend');
    for (const headers of [{ origin: shop, authorization }, { origin: shop }]) {
      expect(corsIn((await call(forPages, { headers })).headers)).toEqual({
        'access-control-allow-origin': '*',
        'access-control-expose-headers': 'ETag, Retry-After, Warning, X-Request-Id',
        vary: 'origin',
      });
    }
    const missing = await service.get('/api/frontend/missing', { token: authorization, headers: { origin: shop } });
    expect(missing.headers['access-control-allow-origin']).toBe('*');
  });

  test('may not read replies for servers and people', async () => {
    const headers = { origin: shop, authorization: await world.sdkToken('client') };
    expect(corsIn((await call(forServers, { headers })).headers)).toEqual({});
    const admin = await service.get('/api/admin/environments', { headers: { origin: shop } });
    expect(corsIn(admin.headers)).toEqual({});
  });

  test('sends a preflight request without a token, and may send any headers', async () => {
    const asked = 'authorization,unleash-appname,unleash-connection-id,unleash-sdk,if-none-match,content-type';
    const headers = { origin: shop, 'access-control-request-method': 'GET', 'access-control-request-headers': asked };
    const requestContext = { http: { method: 'OPTIONS' } } as never;
    const { statusCode, body, ...answer } = await call(forPages, { headers, requestContext });
    expect({ statusCode, body }).toEqual({ statusCode: 204, body: '' });
    expect(corsIn(answer.headers)).toEqual({
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'ETag, Retry-After, Warning, X-Request-Id',
      'access-control-allow-methods': 'GET, HEAD, OPTIONS',
      'access-control-allow-headers': asked,
      'access-control-max-age': '86400',
      vary: 'origin, access-control-request-headers',
    });
    const others = await service.call('OPTIONS', '/api/admin/environments', { token: null, headers });
    expect(corsIn(others.headers)).toEqual({});
  });

  test('is allowed only by FRONTEND_API_ORIGINS, if that lists origins', async () => {
    vi.stubEnv('FRONTEND_API_ORIGINS', `https://www.example.com, ${shop}`);
    const originFor = async (origin: string) =>
      corsIn((await call(forPages, { headers: { origin } })).headers)['access-control-allow-origin'];
    expect(await originFor(shop)).toBe(shop);
    expect(await originFor('https://evil.example.com')).toBeUndefined();
    expect(await originFor(`${shop}.evil.example.com`)).toBeUndefined();
    expect(await originFor('null')).toBeUndefined();
  });
});

test('FRONTEND_API_ORIGINS accepts only origins', () => {
  expect(frontendOrigins({})).toEqual(['*']);
  expect(frontendOrigins({ FRONTEND_API_ORIGINS: '' })).toEqual(['*']);
  expect(frontendOrigins({ FRONTEND_API_ORIGINS: `${shop}, http://localhost:3000, https://*.example.com` })).toEqual([
    shop,
    'http://localhost:3000',
    'https://*.example.com',
  ]);
  for (const bad of [`${shop}/`, 'shop.example.com', 'https://*.com', 'null', `${shop},`]) {
    expect(() => frontendOrigins({ FRONTEND_API_ORIGINS: bad }), bad).toThrow('FRONTEND_API_ORIGINS');
  }
});
