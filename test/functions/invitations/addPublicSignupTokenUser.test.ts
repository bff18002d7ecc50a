import { expect } from 'vitest';
import { serviceEvents } from '../../harness/service-events.ts';
import { sendSignIn } from '../../harness/sign-in.ts';
import { specify, test } from '../../specifications/specify.ts';

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
  waits: 4,
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
  // What Unicode calls the same sign, full-width or small.
  expect((await add({ ...zoe, username: 'nobody-yet\uff20example.com' })).status).toBe(400);
  expect((await add({ ...zoe, username: 'nobody-yet\ufe6bexample.com' })).status).toBe(400);
  expect((await add({ ...zoe, username: 'Zoe@example.com' })).status).toBe(201);
});
