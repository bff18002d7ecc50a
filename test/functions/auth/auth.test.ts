import { beforeEach, describe, expect, vi } from 'vitest';
import { systemUser } from '../../../lib/events/actor.ts';
import { createUser } from '../../../lib/people/administer-users.ts';
import { takeAttempt } from '../../../lib/sign-in/attempts.ts';
import { makeLink } from '../../../lib/sign-in/passwords/links.ts';
import { maxSessions } from '../../../lib/sign-in/sessions.ts';
import { changesBetween, contentOf } from '../../harness/items.ts';
import { samlProviderSettings } from '../../harness/saml-provider.ts';
import { freshService } from '../../harness/service.ts';
import { cookieIn, fromOwnPage, givePassword, giveSession, knownPassword } from '../../harness/sign-in.ts';
import { serviceForEach, specify, test } from '../../specifications/specify.ts';

// users/passwords.test.ts tests the use of a link.
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
    headers: { location: '/signed-out', 'set-cookie': 'flagstaff-session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax' },
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

// finishSaml.test.ts tests the results.
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

specify('login', {
  route: 'POST /auth/simple/login',
  unversioned: 'a session is of the caller alone',
  may: 'anyone',
  request: async (world) => {
    const { username, password } = await world.person();
    return { body: { username, password } };
  },
  required: ['username', 'password'],
  again: 'once more',
  waits: 4,
  differs: 'ten wrong passwords for a name lock it for a quarter of an hour',
});

describe('A user with a password', () => {
  let userId: number;
  const service = serviceForEach();
  beforeEach(async () => {
    const { value } = await createUser(service.table, systemUser, {
      username: 'zoe',
      email: 'Zoe@example.com',
      name: 'Zoe',
      rootRole: 1,
    });
    userId = value.id;
    await givePassword(service.table, userId);
  });

  const anonymous = { token: null };
  const signIn = (username: string, password = knownPassword, headers = {}) =>
    service.post('/auth/simple/login', { username, password }, { ...anonymous, headers });
  const whoIs = (cookie: string) => service.get('/api/admin/user', { ...anonymous, headers: { cookie } });

  describe('Signing in', () => {
    test('works by user name and by address in any capitals, and shows who it is', async () => {
      const answer = await signIn('zoe');
      expect(answer.body).toEqual({
        ...{ id: userId, accountType: 'User', username: 'zoe', email: 'Zoe@example.com', name: 'Zoe', rootRole: 1 },
        ...{ seenAt: null, createdAt: expect.any(String), loginAttempts: 0, activeSessions: 1, deletedSessions: 0 },
        ...{ imageUrl: '', scimId: null, seatType: null, companyRole: null, productUpdatesEmailConsent: null },
      });
      expect((await signIn('ZOE')).body.id).toBe(userId);
      const second = await signIn('ZOE@Example.com');
      expect(second).toMatchObject({
        status: 200,
        body: { id: userId, seenAt: expect.any(String), activeSessions: 3 },
      });
      expect((await whoIs(cookieIn(second))).body.user).toMatchObject({ id: userId, username: 'zoe' });
    });

    test('lets one see, for as long as the session lasts, how many sessions there are and when they signed in before', async () => {
      const second = await signIn('zoe');
      const { activeSessions, deletedSessions, seenAt } = second.body;
      await signIn('zoe');
      expect((await whoIs(cookieIn(second))).body.user).toMatchObject({ activeSessions, deletedSessions, seenAt });
      expect((await service.get('/api/admin/user')).body.user).not.toHaveProperty('activeSessions');
    });

    test('sets a cookie that no script reads and no other site sends, bound to the host where there is TLS', async () => {
      const plain = (await signIn('zoe')).headers['set-cookie'];
      expect(plain).toMatch(/^flagstaff-session=\d+\.[\w-]{43}; Path=\/; Max-Age=172800; HttpOnly; SameSite=Lax$/);
      vi.stubEnv('PUBLIC_URL', 'https://flags.example.com');
      const secure = (await signIn('zoe')).headers['set-cookie'] ?? '';
      expect(secure).toMatch(
        /^__Host-flagstaff-session=[^;]+; Path=\/; Max-Age=172800; HttpOnly; SameSite=Lax; Secure$/,
      );
      const [cookie = ''] = secure.split(';');
      const ask = (more: object) => service.get('/api/admin/user', { ...anonymous, headers: { cookie, ...more } });
      expect((await ask({})).status).toBe(200);
      // A neighbouring host can set a cookie of the plain name, and without TLS anybody can.
      expect((await ask({ cookie: cookie.replace('__Host-', '') })).status).toBe(401);
    });

    test('is refused in the same words for a wrong password, an unknown name and a user without a password', async () => {
      await createUser(service.table, systemUser, { username: 'bob', rootRole: 3 });
      const answers = [await signIn('zoe', 'wrong'), await signIn('nobody'), await signIn('bob')];
      const [first] = answers;
      expect(first).toMatchObject({ status: 401, body: { name: 'AuthenticationRequired' } });
      for (const { status, body, headers } of answers) {
        expect({ status, ...body, id: '' }).toEqual({ status: 401, ...first?.body, id: '' });
        expect(headers['set-cookie']).toBeUndefined();
      }
    });

    test('always makes another session, and ends the one of the browser', async () => {
      const planted = `flagstaff-session=${userId}.${'a'.repeat(43)}`;
      const first = cookieIn(await signIn('zoe', knownPassword, { cookie: planted }));
      expect(first).not.toBe(planted);
      expect((await whoIs(planted)).status).toBe(401);
      const second = cookieIn(await signIn('zoe', knownPassword, { cookie: first }));
      expect(second).not.toBe(first);
      expect((await whoIs(first)).status).toBe(401);
      expect((await whoIs(second)).status).toBe(200);
    });

    test('is refused to a page of another site, which would sign its visitor in as somebody else', async () => {
      for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }]) {
        expect((await signIn('zoe', knownPassword, headers)).status).toBe(403);
      }
      expect((await signIn('zoe', knownPassword, fromOwnPage)).status).toBe(200);
      expect((await signIn('zoe', knownPassword, { origin: 'http://localhost' })).status).toBe(200);
    });

    test(`leaves a user ${maxSessions} sessions: a further one ends the oldest`, async () => {
      const [oldest = ''] = await Promise.all(
        Array.from({ length: maxSessions }, () => giveSession(service.table, userId)),
      );
      const { body } = await signIn('zoe');
      expect(body).toMatchObject({ activeSessions: maxSessions, deletedSessions: 1 });
      expect(oldest).toContain('flagstaff-session=');
    });
  });

  describe('A guesser', () => {
    test.each(['zoe', 'nobody'])(
      'has 10 attempts at "%s", also at once, and then waits, whether the password is right or not',
      async (name) => {
        const answers = await Promise.all(Array.from({ length: 15 }, (_, index) => signIn(name, `wrong ${index}`)));
        const count = (status: number) => answers.filter((answer) => answer.status === status).length;
        expect([count(401), count(429)]).toEqual([10, 5]);
        // A first letter of full width finds the same user.
        const wide = String.fromCodePoint(name.charCodeAt(0) + 0xfee0) + name.slice(1);
        expect((await signIn(wide)).status).toBe(429);
        const locked = await signIn(name.toUpperCase());
        expect(locked).toMatchObject({ status: 429, body: { name: 'TooManyRequests' } });
        const seconds = Number(locked.headers['retry-after']);
        expect(seconds).toBeGreaterThan(60);
        expect(seconds).toBeLessThanOrEqual(15 * 60);
        vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + (seconds + 1) * 1000 });
        expect((await signIn(name)).status).toBe(name === 'zoe' ? 200 : 401);
        vi.useRealTimers();
      },
    );

    test('of the password of somebody who signs in now and then does not lock them out for what was before', async () => {
      const attempt = { name: 'zoe', address: '' };
      for (let round = 0; round < 2; round += 1) {
        // As the sign-in does before it looks at the password.
        const attempts = Array.from({ length: 9 }, () => takeAttempt(service.table, attempt));
        await Promise.all(attempts);
        expect((await signIn('zoe')).status).toBe(200);
      }
    });
  });
});
