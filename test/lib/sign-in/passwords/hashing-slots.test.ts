import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { describe, expect, vi } from 'vitest';
import { openEmbeddedStore } from '../../../../infra/local/embedded-store.ts';
import { takeAttempt } from '../../../../lib/sign-in/attempts.ts';
import { withHashingSlot } from '../../../../lib/sign-in/passwords/hashing-slots.ts';
import { makeLink } from '../../../../lib/sign-in/passwords/links.ts';
import { holdHashes } from '../../../harness/held-hashes.ts';
import { freshService, type Reply, type Service } from '../../../harness/service.ts';
import { fromOwnPage, giveSession, knownPassword, sendSignIn } from '../../../harness/sign-in.ts';
import { temporaryFolder } from '../../../harness/temporary-folder.ts';
import { World } from '../../../harness/world.ts';
import { test } from '../../../specifications/specify.ts';

const anonymous = { token: null };
const password = 'Another-horse-8';
/** For machines that are busy with something else. */
const patience = { timeout: 60_000 };

describe.skipIf(process.platform === 'win32')('While passwords are hashed', () => {
  test('at most two run at once in a process, and commits to the disk do not wait for them', async () => {
    using folder = temporaryFolder();
    const store = await openEmbeddedStore(folder.path);
    using hashes = holdHashes();
    const service = await freshService(undefined, store.address);
    const signIns = Array.from({ length: 20 }, (_, index) => sendSignIn(service, { username: `u${index}`, password }));
    await vi.waitFor(() => expect(hashes.running.now).toBe(2), patience);
    const created = await service.post('/api/admin/projects/default/features', { name: 'checkout' });
    expect([created.status, hashes.running.now]).toEqual([201, 2]);
    hashes.release();
    expect(new Set((await Promise.all(signIns)).map(({ status }) => status))).toEqual(new Set([401]));
    expect(hashes.running.most).toBe(2);
    await store.close();
  });
});

/** Requests that hash a password, by what they do. */
async function requestsIn(service: Service): Promise<Record<string, () => Promise<Reply>>> {
  const world = new World(service);
  const [person, other, invitation] = [await world.person(), await world.person(), await world.invitation()];
  const { secret: token } = await makeLink(service.table, other.username);
  const headers = { cookie: await giveSession(service.table, person.id), ...fromOwnPage };
  const guest = { email: 'guest@example.com', name: 'Guest', password };
  const { username } = person;
  return {
    'sign in': () => sendSignIn(service, { username, password: knownPassword }),
    'sign in as nobody': () => sendSignIn(service, { username: 'nobody', password }),
    'sign up by an invitation': () => service.post(`/invite/${invitation}/signup`, guest, anonymous),
    'change the own password': () =>
      service.post(
        '/api/admin/user/change-password',
        { password, oldPassword: knownPassword },
        { token: null, headers },
      ),
    'create a user': () => service.post('/api/admin/user-admin', { username: 'new', rootRole: 3, password }),
    'choose a password by a link': () => service.post('/auth/reset/password', { token, password }, anonymous),
    'set the password of a user': () =>
      service.post(`/api/admin/user-admin/${other.id}/change-password`, { password: 'Third-horse-9' }),
  };
}

/** Takes places for hashing until they are given back. */
function takePlaces(caller: string, count: number): { giveBack(): Promise<unknown> } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const taken = Array.from({ length: count }, () => withHashingSlot(caller, () => promise));
  return {
    giveBack() {
      resolve();
      return Promise.all(taken);
    },
  };
}

describe('A flood of requests with passwords', () => {
  test('is refused at once, whatever its purpose and name, and no attempt is counted', async ({ service }) => {
    const requests = await requestsIn(service);
    const flood = takePlaces('', 20);
    // More often than a name may be tried.
    for (const send of Object.values(requests).flatMap((each) => Array(11).fill(each))) {
      const { status, headers, body } = await send();
      expect([status, headers['retry-after'], body.name]).toEqual([429, '5', 'TooManyRequests']);
    }
    await flood.giveBack();
    const statuses: number[] = [];
    for (const send of Object.values(requests)) statuses.push((await send()).status);
    expect(statuses).toEqual([200, 401, 201, 200, 201, 200, 200]);
  });

  test('from one address leaves places for others', async ({ service, world }) => {
    vi.stubEnv('TRUSTED_PROXIES', '1');
    const { username } = await world.person();
    const signInFrom = (address: string) =>
      service.post(
        '/auth/simple/login',
        { username, password: knownPassword },
        { token: null, headers: { 'x-forwarded-for': address } },
      );
    const flood = takePlaces('2001:db8:0:1', 10);
    const refused = await signInFrom('2001:db8:0:1::7');
    expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '5' }, body: { name: 'TooManyRequests' } });
    expect((await signInFrom('2001:db8:0:2::7')).status).toBe(200);
    await flood.giveBack();
    expect((await signInFrom('2001:db8:0:1::7')).status).toBe(200);
  });
});

describe('No password is hashed', () => {
  test('for a user who cannot be created, nor for one who does not exist', async ({ service, world }) => {
    const { username } = await world.person();
    const invitation = await world.invitation();
    const signUp = (body: object) =>
      service.post(`/invite/${invitation}/signup`, { name: '', password, ...body }, anonymous);
    const [email, address] = [`${username}@example.com`, 'boss@example.com'];
    expect((await signUp({ email: address, username: 'boss' })).status).toBe(201);
    const hash = vi.spyOn(crypto, 'scrypt');
    syncBuiltinESMExports();
    const refused = [
      await signUp({ email, username }),
      await signUp({ email, username: username.toUpperCase() }),
      await signUp({ email: address.toUpperCase() }),
      await signUp({ email: 'new@example.com', username: 'BOSS' }),
      await service.post('/api/admin/user-admin', { username, rootRole: 3, password }),
      await service.post('/api/admin/user-admin', { email: address, rootRole: 3, password }),
      await service.post('/api/admin/user-admin', { rootRole: 3, password }),
      await service.post('/api/admin/user-admin/999/change-password', { password }),
    ];
    expect(hash).not.toHaveBeenCalled();
    hash.mockRestore();
    syncBuiltinESMExports();
    expect(refused.map(({ status }) => status)).toEqual([409, 409, 409, 409, 409, 409, 400, 404]);
  });
});

test('Failed attempts to sign up are counted by address, as those to sign in are', async ({ service, world }) => {
  vi.stubEnv('TRUSTED_PROXIES', '1');
  const { username } = await world.person();
  const invitation = await world.invitation();
  const address = '198.51.100.7';
  const headers = { 'x-forwarded-for': address };
  const signUp = (name: string) => {
    const body = { email: `${name}@example.com`, username: name, name, password };
    return service.post(`/invite/${invitation}/signup`, body, { token: null, headers });
  };
  for (let count = 1; count < 100; count += 1) await takeAttempt(service.table, { address });
  const statuses = [(await signUp('guest')).status, (await signUp(username)).status, (await signUp('other')).status];
  expect(statuses).toEqual([201, 409, 429]);
});
