import { expect } from 'vitest';
import { attemptsMaxOfName, takeAttempt } from '../../../lib/sign-in/attempts.ts';
import { createToken } from '../../../lib/tokens/tokens.ts';
import { fromOwnPage, giveSession, knownPassword, sendSignIn } from '../../harness/sign-in.ts';
import { specify, test } from '../../specifications/specify.ts';

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

test('A user changes their password: their other sessions end, this one goes on', async ({ service, world }) => {
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

test('Nobody guesses the password at a browser that was left open', async ({ service, world }) => {
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

test('Nobody else locks it: what is tried at the sign-in is counted apart', async ({ service, world }) => {
  const { id } = await world.person();
  for (const username of [String(id), `the password of ${id}`]) {
    // As the sign-in does before it looks at the password.
    const attempt = () => takeAttempt(service.table, { name: username, address: '' });
    for (let index = 0; index < attemptsMaxOfName; index += 1) await attempt();
    await expect(attempt()).rejects.toThrow('Too many');
  }
  const headers = { cookie: await giveSession(service.table, id), ...fromOwnPage };
  const answer = await service.post(path, { password, oldPassword: knownPassword }, { token: null, headers });
  expect(answer.status).toBe(200);
});

test('The holder of an admin token has no password', async ({ service }) => {
  expect((await service.post(path, { password, oldPassword: knownPassword })).status).toBe(403);
});
