import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { loadTokensOfUser } from '../../../lib/identity/tokens/tokens.ts';
import type { MailTransport } from '../../../lib/sign-in/mail.ts';
import { isAddressClaimed } from '../../../lib/sign-in/own-address.ts';
import { useMailTransport } from '../../../lib/sign-in/send-mail.ts';
import { freshService, type Service } from '../../harness/service.ts';
import { openSes, type Ses } from '../../harness/ses.ts';
import { cookieIn, fromOwnPage, sendSignIn } from '../../harness/sign-in.ts';
import { betweenReadAndWrite } from '../../harness/store-requests.ts';
import { World } from '../../harness/world.ts';

let ses: Ses;
let service: Service;
beforeEach(async () => {
  ses = await openSes();
  service = await freshService();
  for (const [name, value] of Object.entries(ses.environment)) vi.stubEnv(name, value);
  vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
});
afterEach(async () => {
  vi.useRealTimers();
  await ses[Symbol.asyncDispose]();
});

const path = '/api/admin/user-admin';
const create = (more: object = {}) =>
  service.post(path, { email: 'zoe@example.com', name: 'Zoe\r\n.', rootRole: 3, ...more });
const askForLink = (email: string) => service.post('/auth/reset/password-email', { email }, { token: null });

describe('With a configured sender', () => {
  test('a new user gets the link that the reply has, signed for SES, and the reply says so', async () => {
    const { status, body } = await create();
    expect([status, body.emailSent]).toEqual([201, true]);
    expect(ses.mails).toEqual([
      { from: 'flags@example.com', to: 'zoe@example.com', text: expect.stringContaining(body.inviteLink) },
    ]);
    expect(ses.mails[0]?.text).toMatch(/^Hello Zoe \.,\n/);
    expect((await service.get('/api/admin/ui-config')).body.emailEnabled).toBe(true);
  });

  test('a user without an address, or whose creator declines it, gets no mail', async () => {
    const answers = [await create({ sendEmail: false }), await create({ email: undefined, username: 'bob' })];
    expect(answers.map(({ body }) => body.emailSent)).toEqual([false, false]);
    expect(ses.mails).toEqual([]);
  });

  test.each([500, 403])('a failure of SES (%i) loses neither the user nor the link', async (status) => {
    ses.status = status;
    const { body } = await create();
    expect(body.emailSent).toBe(false);
    const token = new URL(body.inviteLink).searchParams.get('token') ?? '';
    const chosen = { token, password: 'Correct-horse-7' };
    expect((await service.post('/auth/reset/password', chosen, { token: null })).status).toBe(200);
    expect(process.emitWarning).toHaveBeenCalledWith(`A mail was not sent: SES answered ${status}.`);
  });

  test('a link that an administrator makes is mailed to its user, too', async () => {
    await create({ sendEmail: false });
    const { body } = await service.post(`${path}/reset-password`, { id: 'zoe@example.com' });
    expect(ses.mails[0]).toMatchObject({ to: 'zoe@example.com', text: expect.stringContaining(body.resetPasswordUrl) });
  });

  test('people who have lost their password get a link, at most three an hour, and the reply does not reveal who has an account', async () => {
    await create({ sendEmail: false });
    const asked = ['nobody@example.com', ...Array<string>(5).fill('ZOE@example.com')];
    const answers = await Promise.all(asked.map(askForLink));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`))).toEqual(new Set(['200 ']));
    expect(ses.mails.map(({ to }) => to)).toEqual(Array(3).fill('zoe@example.com'));
  });

  test('a requested link invalidates no other link, and a new password invalidates all', async () => {
    await create({ sendEmail: false });
    await askForLink('zoe@example.com');
    await askForLink('zoe@example.com');
    const { body: made } = await service.post(`${path}/reset-password`, { id: 'zoe@example.com' });
    const mailed = ses.mails.slice(0, 2).map(({ text }) => /http\S+/.exec(text)?.[0] ?? '');
    const links = [...mailed, made.resetPasswordUrl].map((url) => new URL(url).searchParams.get('token'));
    const statuses = () =>
      Promise.all(
        links.map(async (each) => (await service.get(`/auth/reset/validate?token=${each}`, { token: null })).status),
      );
    expect(await statuses()).toEqual([200, 200, 200]);
    const chosen = { token: links[0], password: 'Correct-horse-7' };
    expect((await service.post('/auth/reset/password', chosen, { token: null })).status).toBe(200);
    expect(await statuses()).toEqual([401, 401, 401]);
  });

  test('a password chosen with a mailed link ends the access of another person who signed up with the address', async () => {
    const world = new World(service);
    const zoe = { email: 'zoe@example.com', name: 'Zoe', password: 'Correct-horse-7' };
    await service.post(`/invite/${await world.invitation()}/signup`, zoe, { token: null });
    const signIn = (password: string) => sendSignIn(service, { username: zoe.email, password });
    const headers = { cookie: cookieIn(await signIn(zoe.password)), ...fromOwnPage };
    const createPat = (description: string) =>
      service.post(
        '/api/admin/user/tokens',
        { description, expiresAt: '2099-01-01T00:00:00Z' },
        { token: null, headers },
      );
    const { body } = await createPat('before');
    await askForLink(zoe.email);
    const token = new URL(/http\S+/.exec(ses.mails[0]?.text ?? '')?.[0] ?? '').searchParams.get('token');
    const chosen = { token, password: 'Another-horse-8' };
    const choose = () => service.post('/auth/reset/password', chosen, { token: null });
    expect((await betweenReadAndWrite(service.table, () => createPat('meanwhile'), choose)).status).toBe(200);
    expect(await loadTokensOfUser(service.table, body.userId)).toEqual([]);
    // Nothing of theirs ends when they sign on.
    expect(await isAddressClaimed(service.table, body.userId)).toBe(false);
    expect((await signIn(chosen.password)).status).toBe(200);
  });

  test('the link of a new user stays valid while others request mails, of which at most ten are open', async () => {
    const { body } = await create({ sendEmail: false });
    vi.useFakeTimers({ toFake: ['Date'] });
    for (let hour = 0; hour < 4; hour += 1) {
      vi.setSystemTime(Date.now() + 61 * 60_000);
      await Promise.all(Array.from({ length: 3 }, () => askForLink('zoe@example.com')));
    }
    expect(ses.mails).toHaveLength(10);
    const first = new URL(body.inviteLink).searchParams.get('token');
    expect((await service.get(`/auth/reset/validate?token=${first}`, { token: null })).status).toBe(200);
    vi.setSystemTime(Date.now() + 24 * 60 * 60_000);
    await askForLink('zoe@example.com');
    expect(ses.mails).toHaveLength(11);
  });
});

test('A slow mail server does not reveal who has an account', async () => {
  await create({ sendEmail: false });
  const accepted = Promise.withResolvers<void>();
  const transport = vi.fn<MailTransport>(() => accepted.promise);
  useMailTransport(transport);
  onTestFinished(() => useMailTransport());
  const answer = askForLink('zoe@example.com');
  const first = await Promise.race([answer, setTimeout(5_000, 'nothing')]);
  accepted.resolve();
  expect(first).toMatchObject({ status: 200 });
  expect(transport).toHaveBeenCalledTimes(1);
});

test('Without a sender nothing is sent, and the reply says so', async () => {
  vi.stubEnv('EMAIL_SENDER', '');
  expect((await create()).body.emailSent).toBe(false);
  expect((await askForLink('zoe@example.com')).status).toBe(200);
  expect(ses.mails).toEqual([]);
  expect((await service.get('/api/admin/ui-config')).body.emailEnabled).toBe(false);
});
