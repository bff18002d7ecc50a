import { expect } from 'vitest';
import { serviceEvents } from '../../harness/service-events.ts';
import { sendSignIn } from '../../harness/sign-in.ts';
import { specify, test } from '../../specifications/specify.ts';

specify('createServiceAccount', {
  route: 'POST /api/admin/service-account',
  may: ['Admin'],
  needs: ['ADMIN'],
  request: async (world) => ({
    body: { username: world.name('service'), name: 'Deployment', rootRole: await world.role({ type: 'root-custom' }) },
  }),
  required: ['username', 'name', 'rootRole'],
  waits: 3,
  again: 409,
});

test('It shares names with no user, has a root role that exists, and an event', async ({ service, world }) => {
  const { username } = await world.user();
  const create = (body: object) => service.post('/api/admin/service-account', { name: 'CI', rootRole: 2, ...body });
  expect((await create({ username })).status).toBe(409);
  for (const rootRole of [4, 77]) expect((await create({ username: 'ci', rootRole })).status).toBe(400);
  const { body, headers } = await create({ username: 'ci' });
  expect(body).toMatchObject({ username: 'ci', name: 'CI', rootRole: 2, tokens: [] });
  expect(headers.location).toBe(`/api/admin/service-account/${body.id}`);
  expect((await serviceEvents(service.table)).at(-1)).toMatchObject({
    type: 'service-account-created',
    data: { id: body.id, username: 'ci', rootRole: 2 },
  });
  const user = { username: 'ci', rootRole: 3 };
  expect((await service.post('/api/admin/user-admin', user)).status).toBe(409);
});

test('Nobody signs in as a service account', async ({ service, world }) => {
  const { username } = await world.serviceAccount();
  for (const password of ['', 'password', username]) {
    const answer = await sendSignIn(service, { username, password });
    expect([400, 401, 429]).toContain(answer.status);
  }
});
