import { expect } from 'vitest';
import { serviceEvents } from '../../harness/service-events.ts';
import { cookieIn, fromOwnPage, giveSession, knownPassword, sendSignIn } from '../../harness/sign-in.ts';
import { stuckAfter } from '../../harness/stuck.ts';
import { openTo, specify, test } from '../../specifications/specify.ts';

specify('changeUserPassword', {
  route: 'POST /api/admin/user-admin/{id}/change-password',
  unversioned: 'nothing that is read shows a password',
  ...openTo('Admin', 'ADMIN'),
  request: async (world) => ({
    params: { id: (await world.user()).id },
    body: { password: 'Another-horse_8', confirmPassword: 'Another-horse_8', oldPassword: 'ignored' },
  }),
  required: ['password'],
  again: 'once more',
  waits: 3,
});

const password = 'Another-horse-8';

test('The user has the new password only, their sessions end, and nobody sees it', async ({ service, world }) => {
  const { id, username } = await world.person();
  const cookie = await giveSession(service.table, id);
  const statusWith = async (typed: string) => (await sendSignIn(service, { username, password: typed })).status;
  expect(await statusWith(knownPassword)).toBe(200);
  expect((await service.post(`/api/admin/user-admin/${id}/change-password`, { password })).status).toBe(200);
  expect(await statusWith(knownPassword)).toBe(401);
  expect(await statusWith(password)).toBe(200);
  expect((await service.get('/api/admin/user', { token: null, headers: { cookie } })).status).toBe(401);
  const event = (await serviceEvents(service.table)).at(-1);
  expect(event).toMatchObject({
    type: 'user-updated',
    data: { id, username, passwordChangedAt: event?.createdAt },
    preData: { id, passwordChangedAt: null },
  });
  expect(JSON.stringify(event)).not.toContain(password);
});

test('An administrator who gives themselves another password stays signed in', async ({ service, world }) => {
  const { id } = await world.person({ rootRole: 'Admin' });
  const [own, other] = [await giveSession(service.table, id), await giveSession(service.table, id)];
  const path = `/api/admin/user-admin/${id}/change-password`;
  const options = { token: null, headers: { cookie: own, ...fromOwnPage } };
  expect((await service.post(path, { password, confirmPassword: 'x' }, options)).status).toBe(400);
  expect((await service.post(path, { password }, options)).status).toBe(200);
  const whoIs = (cookie: string) => service.get('/api/admin/user', { token: null, headers: { cookie } });
  expect((await whoIs(own)).status).toBe(200);
  expect((await whoIs(other)).status).toBe(401);
});

test('A sign-in with the old password at the same moment leaves no session behind', async ({ service, world }) => {
  const { id, username } = await world.person();
  const attempt = () => sendSignIn(service, { username, password: knownPassword });
  const change = () => service.post(`/api/admin/user-admin/${id}/change-password`, { password });
  const [late, changing] = [await stuckAfter(service.table, 0, attempt), await stuckAfter(service.table, 0, change)];
  const early = await attempt();
  expect([late.isStuck, changing.isStuck, early.status]).toEqual([true, true, 200]);
  expect((await changing.goOn()).status).toBe(200);
  expect((await late.goOn()).status).toBe(401);
  const headers = { cookie: cookieIn(early) };
  expect((await service.get('/api/admin/user', { token: null, headers })).status).toBe(401);
});
