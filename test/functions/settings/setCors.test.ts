import { expect } from 'vitest';
import { forget } from '../../../lib/people/rights/identity-memory.ts';
import { openTo, specify, test } from '../../specifications/specify.ts';

specify('setCors', {
  route: 'POST /api/admin/ui-config/cors',
  unversioned: 'it is read with much else',
  ...openTo('Admin', 'ADMIN', 'UPDATE_CORS'),
  request: (world) => ({ body: { frontendApiOrigins: [`https://${world.name('shop')}.example.com`] } }),
  required: ['frontendApiOrigins'],
  again: 'nothing',
});

test('From then on those sites may read what the frontend API answers, and no others', async ({ service, world }) => {
  const token = await world.frontendToken();
  const originFor = async (origin: string, method = 'GET') => {
    const { headers } = await service.call(method, '/api/frontend', { token, headers: { origin } });
    return headers['access-control-allow-origin'];
  };
  expect(await originFor('https://a.example.com')).toBe('*');
  const set = (...frontendApiOrigins: string[]) => service.post('/api/admin/ui-config/cors', { frontendApiOrigins });
  expect(await set('https://a.example.com', 'https://b.example.com:8443')).toMatchObject({ status: 204 });
  expect(await originFor('https://a.example.com')).toBe('https://a.example.com');
  expect(await originFor('https://b.example.com:8443', 'OPTIONS')).toBe('https://b.example.com:8443');
  expect(await originFor('https://c.example.com')).toBeUndefined();
  // As in a process whose first caller has no good token.
  for (const [origin, seen] of [
    ['https://a.example.com', 'https://a.example.com'],
    ['https://c.example.com'],
  ] as const) {
    forget(service.table, 'unleash.frontend');
    const { status, headers } = await service.get('/api/frontend', { token: null, headers: { origin } });
    expect([status, headers['access-control-allow-origin']]).toEqual([401, seen]);
  }
  const { body } = await service.get('/api/admin/ui-config');
  expect(body.frontendApiOrigins).toEqual(['https://a.example.com', 'https://b.example.com:8443']);
  await set();
  expect(await originFor('https://a.example.com')).toBeUndefined();
});

test('A star stands for one name before a domain, and for nothing else', async ({ service, world }) => {
  const token = await world.frontendToken();
  const frontendApiOrigins = ['https://*.example.org', 'http://*.localhost:3000'];
  expect(await service.post('/api/admin/ui-config/cors', { frontendApiOrigins })).toMatchObject({ status: 204 });
  const isLetIn = async (origin: string) => {
    const { headers } = await service.get('/api/frontend', { token, headers: { origin } });
    return headers['access-control-allow-origin'] === origin;
  };
  for (const origin of ['https://shop.example.org', 'https://xn--bcher-kva.example.org', 'http://a.localhost:3000']) {
    expect(await isLetIn(origin), origin).toBe(true);
  }
  const others = [
    ...['https://example.org', 'https://.example.org', 'https://a.b.example.org'],
    ...['http://shop.example.org', 'https://shop.example.org:8443', 'https://evil.com/.example.org'],
    ...['https://evil.com#.example.org', 'https://user@shop.example.org', 'https://shop.example.org.evil.com', 'null'],
  ];
  for (const origin of others) expect(await isLetIn(origin), origin).toBe(false);
});

test('Each origin that is none is named', async ({ service }) => {
  const frontendApiOrigins = [
    ...[
      'nonsense',
      'https://a.example.com',
      'https://*.com',
      'https://a.example.com/',
      'https://*',
      'https://*shop.a.com',
    ],
    ...[
      'https://a.*.example.com',
      'https://*.*.example.com',
      '*.example.com',
      'https://*.10.0.0.1',
      'ftp://*.example.com',
    ],
  ];
  const { status, body } = await service.post('/api/admin/ui-config/cors', { frontendApiOrigins });
  expect(status).toBe(400);
  expect(body.details.map(({ path }: { path: string }) => path)).toEqual(
    [0, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((index) => `frontendApiOrigins.${index}`),
  );
});
