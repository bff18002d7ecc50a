import { expect, onTestFinished, vi } from 'vitest';
import { attemptsMaxOfName, takeAttempt } from '../../../lib/sign-in/attempts.ts';
import type { Service } from '../../harness/service.ts';
import { giveSession, knownPassword, sendSignIn } from '../../harness/sign-in.ts';
import { openTo, specify, test } from '../../specifications/specify.ts';

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

test('The link leads to the service, works once, ends all sessions, and lifts a lock', async ({ service, world }) => {
  const { id, username } = await world.person();
  const statusWith = async (password: string) => (await sendSignIn(service, { username, password })).status;
  const cookie = await giveSession(service.table, id);
  vi.stubEnv('PUBLIC_URL', 'https://flags.example.com');
  onTestFinished(() => void vi.unstubAllEnvs());
  const made = await service.post('/api/admin/user-admin/reset-password', { id: username });
  const { resetPasswordUrl } = made.body;
  expect(resetPasswordUrl).toMatch(/^https:\/\/flags\.example\.com\/reset-password\?token=\d+\.[\w-]{43}$/);
  // Until it is used, nothing has changed.
  expect(await statusWith(knownPassword)).toBe(200);
  // As the sign-in does before it looks at the password.
  const attempts = Array.from({ length: attemptsMaxOfName }, () =>
    takeAttempt(service.table, { name: username, address: '' }),
  );
  await Promise.all(attempts);
  expect(await statusWith(knownPassword)).toBe(429);
  const token = new URL(resetPasswordUrl).searchParams.get('token') ?? '';
  expect((await choose(service, token, 'weak')).status).toBe(400);
  expect((await choose(service, token)).status).toBe(200);
  expect((await choose(service, token)).status).toBe(401);
  expect(await statusWith('Another-horse-8')).toBe(200);
  expect((await service.get('/api/admin/user', { token: null, headers: { cookie } })).status).toBe(401);
});

test('Of several links the last one is good, for a day, and for its user alone', async ({ service, world }) => {
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

test('Nobody gets a link for a user who does not exist', async ({ service }) => {
  expect((await service.post('/api/admin/user-admin/reset-password', { id: 'nobody' })).status).toBe(404);
});
