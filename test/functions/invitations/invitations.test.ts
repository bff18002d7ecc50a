import { expect, onTestFinished, vi } from 'vitest';
import { serviceEvents } from '../../harness/service-events.ts';
import { openTo, specify, test } from '../../specifications/specify.ts';

specify('createPublicSignupToken', {
  route: 'POST /api/admin/invite-link/tokens',
  ...openTo('Admin', 'ADMIN'),
  request: (world) => ({ body: { name: world.name('invitation'), expiresAt: '2126-01-01T00:00:00Z' } }),
  required: ['name', 'expiresAt'],
  again: 'once more',
});

const path = '/api/admin/invite-link/tokens';

test('An invitation shows its link whenever it is asked for, but in no event', async ({ service }) => {
  vi.stubEnv('PUBLIC_URL', 'https://flags.example.com');
  onTestFinished(() => void vi.unstubAllEnvs());
  const created = await service.post(path, { name: 'team', expiresAt: '2126-01-01T00:00:00Z' });
  const { secret } = created.body;
  expect(created).toMatchObject({ status: 201, headers: { location: `${path}/${secret}` } });
  expect(created.body).toEqual({
    ...{ name: 'team', secret, url: `https://flags.example.com/new-user?invite=${secret}`, enabled: true },
    ...{ expiresAt: '2126-01-01T00:00:00.000Z', createdAt: expect.any(String), createdBy: 'admin' },
    ...{ users: [], role: { id: 3, name: 'Viewer', type: 'root', description: expect.any(String) } },
  });
  expect((await service.get(path)).body).toEqual({ tokens: [created.body] });
  expect((await service.get(`${path}/${secret}`)).body).toEqual(created.body);
  const event = (await serviceEvents(service.table)).at(-1);
  expect(event).toMatchObject({ type: 'public-signup-token-created', data: { name: 'team' } });
  expect(JSON.stringify(event)).not.toContain(secret);
});

test('An invitation that would have expired already is a 400', async ({ service }) => {
  expect((await service.post(path, { name: 'team', expiresAt: '2020-01-01T00:00:00Z' })).status).toBe(400);
});

specify('getAllPublicSignupTokens', {
  route: 'GET /api/admin/invite-link/tokens',
  ...openTo('Admin', 'ADMIN'),
  given: (world) => world.invitation(),
});

specify('getPublicSignupToken', {
  route: 'GET /api/admin/invite-link/tokens/{token}',
  ...openTo('Admin', 'ADMIN'),
  request: async (world) => ({ params: { token: await world.invitation() } }),
});

specify('updatePublicSignupToken', {
  route: 'PUT /api/admin/invite-link/tokens/{token}',
  ...openTo('Admin', 'ADMIN'),
  request: async (world) => ({
    params: { token: await world.invitation() },
    body: { expiresAt: '2127-01-01T00:00:00Z', enabled: false },
  }),
});

test('An update of an invitation keeps what it leaves out, and switches it off and on', async ({ service, world }) => {
  const secret = await world.invitation();
  const path = `/api/admin/invite-link/tokens/${secret}`;
  const validate = async () => (await service.get(`/invite/${secret}/validate`, { token: null })).status;
  expect((await service.put(path, { enabled: false })).body).toMatchObject({
    enabled: false,
    expiresAt: '2126-01-01T00:00:00.000Z',
  });
  expect(await validate()).toBe(400);
  expect((await service.put(path, { enabled: true })).body).toMatchObject({ enabled: true });
  expect(await validate()).toBe(200);
  expect((await service.put(path, { expiresAt: '2020-01-01T00:00:00Z' })).status).toBe(200);
  expect(await validate()).toBe(400);
});

specify('validatePublicSignupToken', {
  route: 'GET /invite/{token}/validate',
  may: 'anyone',
  request: async (world) => ({ params: { token: await world.invitation() } }),
});
