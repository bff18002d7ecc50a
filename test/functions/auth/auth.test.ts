import { expect, onTestFinished, vi } from 'vitest';
import { makeLink } from '../../../lib/sign-in/passwords/links.ts';
import { changesBetween, contentOf } from '../../harness/items.ts';
import { samlProviderSettings } from '../../harness/saml-provider.ts';
import { freshService } from '../../harness/service.ts';
import { fromOwnPage } from '../../harness/sign-in.ts';
import { specify, test } from '../../specifications/specify.ts';

// What a link is good for is in resetUserPassword.test.ts.
specify('changePassword', {
  route: 'POST /auth/reset/password',
  unversioned: 'nothing that is read shows a password',
  may: 'anyone',
  request: async (world) => ({
    body: {
      token: (await makeLink(world.service.table, (await world.person()).username)).secret,
      password: 'Another-horse-8',
    },
  }),
  required: ['token', 'password'],
  again: 401,
  waits: 4,
});

specify('getSamlMetadata', { route: 'GET /auth/saml/metadata', may: 'anyone', request: () => ({}) });

test('An identity provider learns where to send assertions, and for whom', async ({ service }) => {
  vi.stubEnv('PUBLIC_URL', 'https://flags.example.com');
  onTestFinished(() => void vi.unstubAllEnvs());
  const { text } = await service.get('/auth/saml/metadata', { token: null });
  expect(text).toContain('entityID="https://flags.example.com"');
  expect(text).toContain('Location="https://flags.example.com/auth/saml/callback"');
});

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

test('Nobody fills the store by signing out without a session, with keys or cookies', async ({ service }) => {
  const before = await contentOf(service.table);
  for (const key of ['one', 'two']) {
    const headers = { 'idempotency-key': key, cookie: `flagstaff-session=1.${'a'.repeat(43)}`, ...fromOwnPage };
    expect((await service.call('POST', '/logout', { token: '*:*.made-up', headers })).status).toBe(302);
  }
  expect(changesBetween(before, await contentOf(service.table))).toEqual([]);
});

specify('sendResetPasswordEmail', {
  route: 'POST /auth/reset/password-email',
  may: 'anyone',
  request: (world) => ({ body: { email: `${world.name('user')}@example.com` } }),
  required: ['email'],
  differs: 'at most three mails an hour to an address, and a reply that takes as long where nobody has it',
});

// What comes of it is in finishSaml.test.ts.
specify('startSaml', {
  route: 'GET /auth/saml/login',
  may: 'anyone',
  given: (world) => world.ask('POST', '/api/admin/auth/saml/settings', samlProviderSettings),
  again: 'once more',
  waits: 2,
});

specify('validatePassword', {
  route: 'POST /auth/reset/validate-password',
  may: 'anyone',
  request: () => ({ body: { password: 'Correct-horse-7' } }),
  required: ['password'],
});

test('A weak password is refused with every rule that it breaks', async () => {
  const answer = await (await freshService()).post('/auth/reset/validate-password', { password: 'Ab1' });
  expect(answer.status).toBe(400);
  expect(answer.body.details[0].validationErrors).toHaveLength(2);
});

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
