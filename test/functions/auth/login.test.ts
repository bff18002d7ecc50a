import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { systemUser } from '../../../lib/events/actor.ts';
import { createUser } from '../../../lib/people/administer-users.ts';
import { attemptsMaxOfName, takeAttempt } from '../../../lib/sign-in/attempts.ts';
import { sessionsMax } from '../../../lib/sign-in/sessions.ts';
import { cookieIn, fromOwnPage, givePassword, giveSession, knownPassword } from '../../harness/sign-in.ts';
import { serviceForEach, specify } from '../../specifications/specify.ts';

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
    expect(second).toMatchObject({ status: 200, body: { id: userId, seenAt: expect.any(String), activeSessions: 3 } });
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
    onTestFinished(() => void vi.unstubAllEnvs());
    const secure = (await signIn('zoe')).headers['set-cookie'] ?? '';
    expect(secure).toMatch(/^__Host-flagstaff-session=[^;]+; Path=\/; Max-Age=172800; HttpOnly; SameSite=Lax; Secure$/);
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

  test(`leaves a user ${sessionsMax} sessions: a further one ends the oldest`, async () => {
    const [oldest = ''] = await Promise.all(
      Array.from({ length: sessionsMax }, () => giveSession(service.table, userId)),
    );
    const { body } = await signIn('zoe');
    expect(body).toMatchObject({ activeSessions: sessionsMax, deletedSessions: 1 });
    expect(oldest).toContain('flagstaff-session=');
  });
});

describe('A guesser', () => {
  test.each(['zoe', 'nobody'])(
    `has ${attemptsMaxOfName} attempts at "%s", also at once, and then waits, whether the password is right or not`,
    async (name) => {
      const answers = await Promise.all(
        Array.from({ length: attemptsMaxOfName + 5 }, (_, index) => signIn(name, `wrong ${index}`)),
      );
      const count = (status: number) => answers.filter((answer) => answer.status === status).length;
      expect([count(401), count(429)]).toEqual([attemptsMaxOfName, 5]);
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
      const attempts = Array.from({ length: attemptsMaxOfName - 1 }, () => takeAttempt(service.table, attempt));
      await Promise.all(attempts);
      expect((await signIn('zoe')).status).toBe(200);
    }
  });
});
