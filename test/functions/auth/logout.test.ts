import { expect } from 'vitest';
import { fromOwnPage } from '../../harness/sign-in.ts';
import { specify, test } from '../../specifications/specify.ts';

specify('logout', {
  route: 'POST /logout',
  unversioned: 'a session is of the caller alone',
  may: 'anyone',
  request: async (world) => ({ headers: { cookie: await world.session() } }),
});

test('A session is over once its user has signed out, and the browser forgets it', async ({ service, world }) => {
  const [cookie, other] = [await world.session(), await world.session()];
  const whoIs = (sent: string) => service.get('/api/admin/user', { token: null, headers: { cookie: sent } });
  expect((await whoIs(cookie)).status).toBe(200);
  const answer = await service.call('POST', '/logout', { token: null, headers: { cookie, ...fromOwnPage } });
  expect(answer).toMatchObject({
    status: 302,
    headers: {
      location: '/signed-out',
      'set-cookie': 'flagstaff-session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax',
    },
  });
  expect((await whoIs(cookie)).status).toBe(401);
  expect((await whoIs(other)).status).toBe(200);
});
