import { expect, vi } from 'vitest';
import { createToken } from '../../../lib/identity/tokens/tokens.ts';
import { takeAttempt } from '../../../lib/sign-in/attempts.ts';
import type { Service } from '../../harness/service.ts';
import { serviceEvents } from '../../harness/service-events.ts';
import { cookieIn, fromOwnPage, giveSession, knownPassword, sendSignIn } from '../../harness/sign-in.ts';
import { stuckAfter } from '../../harness/stuck.ts';
import { openTo, specify, test } from '../../specifications/specify.ts';

const password = 'Another-horse-8';

specify('changeMyPassword', {
  route: 'POST /api/admin/user/change-password',
  unversioned: 'nothing that is read shows a password',
  may: 'any token',
  request: async (world) => {
    const user = await world.person();
    const { secret } = await createToken(world.service.table, { kind: 'user', user });
    await world.ask('GET', '/api/admin/user', undefined, { authorization: secret });
    return {
      headers: { authorization: secret },
      body: { password, confirmPassword: password, oldPassword: knownPassword },
    };
  },
  required: ['password', 'oldPassword'],
  again: 401,
  waits: 4,
  differs: 'the own session goes on',
});

const path = '/api/admin/user/change-password';

test('A user who changes their password keeps this session and loses the others', async ({ service, world }) => {
  const { id, username } = await world.person();
  const [own, other] = [await giveSession(service.table, id), await giveSession(service.table, id)];
  const change = (body: object) => service.post(path, body, { token: null, headers: { cookie: own, ...fromOwnPage } });
  expect((await change({ password, oldPassword: 'wrong' })).status).toBe(401);
  expect((await change({ password, oldPassword: knownPassword, confirmPassword: 'x' })).status).toBe(400);
  expect((await change({ password: 'weak', oldPassword: knownPassword })).status).toBe(400);
  expect((await change({ password: knownPassword, oldPassword: knownPassword })).status).toBe(400);
  expect((await change({ password, oldPassword: knownPassword, confirmPassword: password })).status).toBe(200);
  const whoIs = (cookie: string) => service.get('/api/admin/user', { token: null, headers: { cookie } });
  expect((await whoIs(own)).status).toBe(200);
  expect((await whoIs(other)).status).toBe(401);
  expect((await sendSignIn(service, { username, password })).status).toBe(200);
});

test('Wrong passwords for a change are limited', async ({ service, world }) => {
  const { id, username } = await world.person();
  const cookie = await giveSession(service.table, id);
  const headers = { cookie, ...fromOwnPage };
  const guess = async (oldPassword: string) =>
    (await service.post(path, { password, oldPassword }, { token: null, headers })).status;
  for (let index = 0; index < 10; index += 1) expect(await guess('wrong')).toBe(401);
  expect(await guess(knownPassword)).toBe(429);
  const body = { username, password: knownPassword };
  expect((await sendSignIn(service, body)).status).toBe(200);
});

test('Wrong passwords at sign-in do not lock a change', async ({ service, world }) => {
  const { id } = await world.person();
  for (const username of [String(id), `the password of ${id}`]) {
    // As the sign-in does before it looks at the password.
    const attempt = () => takeAttempt(service.table, { name: username, address: '' });
    for (let index = 0; index < 10; index += 1) await attempt();
    await expect(attempt()).rejects.toThrow('Too many');
  }
  const headers = { cookie: await giveSession(service.table, id), ...fromOwnPage };
  const answer = await service.post(path, { password, oldPassword: knownPassword }, { token: null, headers });
  expect(answer.status).toBe(200);
});

test('An admin token has no password', async ({ service }) => {
  expect((await service.post(path, { password, oldPassword: knownPassword })).status).toBe(403);
});

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
  waits: 4,
});

test('A new password replaces the old one, ends the sessions, and is not shown', async ({ service, world }) => {
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

test('An Admin who changes their own password stays signed in', async ({ service, world }) => {
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

test('A concurrent sign-in with the old password leaves no session', async ({ service, world }) => {
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

specify('resetUserPassword', {
  route: 'POST /api/admin/user-admin/reset-password',
  unversioned: 'nothing that is read shows a password',
  ...openTo('Admin', 'ADMIN'),
  request: async (world) => ({ body: { id: (await world.user()).username } }),
  required: ['id'],
  again: 'once more',
  waits: 3,
});

async function linkOf(service: Service, id: string): Promise<string> {
  const { body } = await service.post('/api/admin/user-admin/reset-password', { id });
  return new URL(body.resetPasswordUrl).searchParams.get('token') ?? '';
}
const choose = (service: Service, token: string, password = 'Another-horse-8') =>
  service.post('/auth/reset/password', { token, password }, { token: null });

test('A reset link works once, ends all sessions, and lifts a lock', async ({ service, world }) => {
  const { id, username } = await world.person();
  const statusWith = async (password: string) => (await sendSignIn(service, { username, password })).status;
  const cookie = await giveSession(service.table, id);
  vi.stubEnv('PUBLIC_URL', 'https://flags.example.com');
  const made = await service.post('/api/admin/user-admin/reset-password', { id: username });
  const { resetPasswordUrl } = made.body;
  expect(resetPasswordUrl).toMatch(/^https:\/\/flags\.example\.com\/reset-password\?token=\d+\.[\w-]{43}$/);
  // Until it is used, nothing has changed.
  expect(await statusWith(knownPassword)).toBe(200);
  // As the sign-in does before it looks at the password.
  const attempts = Array.from({ length: 10 }, () => takeAttempt(service.table, { name: username, address: '' }));
  await Promise.all(attempts);
  expect(await statusWith(knownPassword)).toBe(429);
  const token = new URL(resetPasswordUrl).searchParams.get('token') ?? '';
  expect((await choose(service, token, 'weak')).status).toBe(400);
  expect((await choose(service, token)).status).toBe(200);
  expect((await choose(service, token)).status).toBe(401);
  expect(await statusWith('Another-horse-8')).toBe(200);
  expect((await service.get('/api/admin/user', { token: null, headers: { cookie } })).status).toBe(401);
});

test('Only the last of several reset links works, for a day and its user', async ({ service, world }) => {
  const [one, other] = [await world.person(), await world.person()];
  const first = await linkOf(service, one.username);
  const second = await linkOf(service, one.username);
  const secret = second.split('.')[1];
  for (const bad of [first, `${other.id}.${secret}`, `0${second}`, `${second}a`, 'x', '']) {
    expect((await choose(service, bad)).status).toBe(401);
  }
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 24 * 60 * 60 * 1000 });
  expect((await choose(service, second)).status).toBe(401);
  vi.useRealTimers();
  const [answer, again] = await Promise.all([choose(service, second), choose(service, second)]);
  expect([answer.status, again.status].toSorted()).toEqual([200, 401]);
});

test('An unknown user gets no reset link', async ({ service }) => {
  expect((await service.post('/api/admin/user-admin/reset-password', { id: 'nobody' })).status).toBe(404);
});
