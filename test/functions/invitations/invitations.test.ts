import { expect, vi } from 'vitest';
import { serviceEvents } from '../../harness/service-events.ts';
import { sendSignIn } from '../../harness/sign-in.ts';
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

test('Of 100 invitations, one that has expired or is switched off gives way to a new one, and none that is good', async ({
  service,
  world,
}) => {
  const path = '/api/admin/invite-link/tokens';
  const secrets = [];
  for (let count = 0; count < 100; count += 1) secrets.push(await world.invitation());
  const create = () => service.post(path, { name: 'one more', expiresAt: '2126-01-01T00:00:00Z' });
  const listed = async () =>
    new Set((await service.get(path)).body.tokens.map((each: { secret: string }) => each.secret));
  expect((await create()).status).toBe(400);
  await service.put(`${path}/${secrets[70]}`, { enabled: false });
  await service.put(`${path}/${secrets[20]}`, { expiresAt: '2020-01-01T00:00:00Z' });
  expect((await create()).status).toBe(201);
  expect(new Set(secrets).difference(await listed())).toEqual(new Set([secrets[20]]));
  expect((await create()).status).toBe(201);
  expect(new Set(secrets).difference(await listed())).toEqual(new Set([secrets[20], secrets[70]]));
  expect((await create()).status).toBe(400);
});

specify('validatePublicSignupToken', {
  route: 'GET /invite/{token}/validate',
  may: 'anyone',
  request: async (world) => ({ params: { token: await world.invitation() } }),
});

specify('addPublicSignupTokenUser', {
  route: 'POST /invite/{token}/signup',
  may: 'anyone',
  request: async (world) => {
    const username = world.name('user');
    const body = { username, email: `${username}@example.com`, name: 'A User', password: 'Correct-horse-7' };
    return { params: { token: await world.invitation() }, body };
  },
  required: ['email', 'name', 'password'],
  again: 409,
  waits: 5,
  differs: 'a weak password is refused',
});

const zoe = { email: 'zoe@example.com', name: 'Zoe', password: 'Correct-horse-7' };

test('Who comes by an invitation is a Viewer, signs in, and is shown with it', async ({ service, world }) => {
  const secret = await world.invitation();
  const add = (body: object) => service.post(`/invite/${secret}/signup`, body, { token: null });
  expect((await add({ ...zoe, password: 'weak' })).status).toBe(400);
  const { status, body } = await add({ ...zoe, rootRole: 1 });
  expect({ status, body }).toMatchObject({ status: 201, body: { email: zoe.email, rootRole: 3 } });
  expect((await add(zoe)).status).toBe(409);
  const credentials = { username: zoe.email, password: zoe.password };
  expect((await sendSignIn(service, credentials)).status).toBe(200);
  const { tokens } = (await service.get('/api/admin/invite-link/tokens')).body;
  expect(tokens[0].users).toEqual([{ id: body.id, name: 'Zoe' }]);
  const types = (await serviceEvents(service.table)).map(({ type }) => type);
  expect(types.slice(-2)).toEqual(['user-created', 'public-signup-token-user-added']);
});

test('Nobody comes by an invitation that is unknown, has expired, or is switched off', async ({ service, world }) => {
  const secret = await world.invitation();
  await service.put(`/api/admin/invite-link/tokens/${secret}`, { enabled: false });
  for (const bad of [secret, 'unknown', '0'.repeat(32)]) {
    expect((await service.post(`/invite/${bad}/signup`, zoe, { token: null })).status).toBe(400);
  }
});

test('Nobody who comes by an invitation has an address of others as user name', async ({ service, world }) => {
  const secret = await world.invitation();
  await service.post('/api/admin/user-admin', { email: 'boss@example.com', rootRole: 1 });
  const add = (body: object) => service.post(`/invite/${secret}/signup`, body, { token: null });
  expect((await add({ ...zoe, username: 'Boss@example.com' })).status).toBe(400);
  expect((await add({ ...zoe, username: 'nobody-yet@example.com' })).status).toBe(400);
  // Characters that Unicode treats as the same: full-width or small.
  expect((await add({ ...zoe, username: 'nobody-yet\uff20example.com' })).status).toBe(400);
  expect((await add({ ...zoe, username: 'nobody-yet\ufe6bexample.com' })).status).toBe(400);
  expect((await add({ ...zoe, username: 'Zoe@example.com' })).status).toBe(201);
});
