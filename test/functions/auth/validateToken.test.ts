import { expect } from 'vitest';
import { makeLink } from '../../../lib/sign-in/passwords/links.ts';
import { specify, test } from '../../specifications/specify.ts';

specify('validateToken', {
  route: 'GET /auth/reset/validate',
  may: 'anyone',
  request: async (world) => ({
    query: { token: (await makeLink(world.service.table, (await world.person()).username)).secret },
  }),
  waits: 2,
});

test('A link says whose it is; another one says no more than that it is not good', async ({ service, world }) => {
  const { id, username } = await world.person({ rootRole: 'Editor' });
  const { secret: token } = await makeLink(service.table, username);
  const { body } = await service.get(`/auth/reset/validate?token=${token}`, { token: null });
  expect(body).toMatchObject({ id, email: username, token, createdBy: null, role: { id: 2, name: 'Editor' } });
  expect((await service.get('/auth/reset/validate?token=1.x', { token: null })).status).toBe(401);
  expect((await service.get('/auth/reset/validate', { token: null })).status).toBe(400);
});
