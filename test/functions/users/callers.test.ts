import { describe, expect } from 'vitest';
import { ApiError } from '../../../lib/errors.ts';
import { attemptsKey } from '../../../lib/sign-in/attempts.ts';
import { recordRefusals } from '../../../lib/sign-in/history.ts';
import * as signInKeys from '../../../lib/sign-in/keys.ts';
import { signIn as signInFrom } from '../../../lib/sign-in/sign-in.ts';
import { queryAll } from '../../../lib/store/read.ts';
import { transact } from '../../../lib/store/transactions/transact.ts';
import { countInWindow } from '../../../lib/store/window.ts';
import { newTokenOf } from '../../harness/features.ts';
import { oidcProviderSettings, signOnAt } from '../../harness/oidc-provider.ts';
import { requestIdIn, samlAnswer, samlForm, samlProviderSettings } from '../../harness/saml-provider.ts';
import { cookieIn, knownPassword, sendSignIn } from '../../harness/sign-in.ts';
import { openTo, specify, test, worldForEach } from '../../specifications/specify.ts';

specify('getLogins', {
  route: 'GET /api/admin/logins',
  ...openTo('Admin', 'READ_LOGS'),
  given: async (world) => {
    const { username, password } = await world.person();
    await world.ask('POST', '/auth/simple/login', { username, password });
  },
});

const { service, world } = worldForEach();

describe('Signing in', () => {
  const anonymous = { token: null };
  const list = async (query = '') => (await service.get(`/api/admin/logins${query}`)).body.events;
  const kept = () => queryAll(service.table, signInKeys.signIns());

  describe('The history of signing in', () => {
    test('shows successful and failed sign-ins by password, newest first, with address and reason', async () => {
      const { username } = await world.person();
      await sendSignIn(service, { username, password: 'wrong' });
      const begun = new Date().toISOString();
      const browser = { address: '203.0.113.7', session: undefined };
      await signInFrom(service.table, { username, password: knownPassword }, browser);
      const [success, failure, ...others] = await list();
      expect(success).toEqual({
        ...{ id: expect.any(Number), username, auth_type: 'simple', created_at: expect.any(String) },
        ...{ successful: true, ip: '203.0.113.7', failure_reason: null },
      });
      expect(success.created_at >= begun).toBe(true);
      expect(failure).toMatchObject({
        ...{ username, successful: false, ip: null },
        failure_reason: 'The user name or the password is wrong.',
      });
      expect(success.id).toBeGreaterThan(failure.id);
      expect(others).toEqual([]);
    });

    test('shows sign-ins of unknown users, and never a password, not even one that was typed as the user name', async () => {
      const { username } = await world.person();
      const names = [username, 'hunter2-Secret'];
      for (const name of names) await sendSignIn(service, { username: name, password: 'hunter2-Secret' });
      const [second, first] = await list();
      expect([first.username, second.username]).toEqual([username, '']);
      const same = { id: 0, username: '', created_at: '' };
      expect({ ...first, ...same }).toEqual({ ...second, ...same });
      const attempts = Array.from({ length: 10 }, () =>
        sendSignIn(service, { username: 'hunter2-Secret', password: 'x' }),
      );
      expect((await Promise.all(attempts)).map(({ status }) => status)).toContain(429);
      expect(JSON.stringify(await kept())).not.toContain('hunter2');
    });

    test('shows that passwords are switched off', async () => {
      await service.post('/api/admin/auth/saml/settings', samlProviderSettings);
      await service.post('/api/admin/auth/simple/settings', { disabled: true });
      const { username, password } = await world.person();
      await sendSignIn(service, { username, password });
      expect((await list())[0]).toMatchObject({ username, successful: false, failure_reason: /switched off/ });
    });

    test('shows sign-ins by SAML, and refused assertions', async () => {
      await service.post('/api/admin/auth/saml/settings', { ...samlProviderSettings, emailDomains: 'example.com' });
      const finish = async (body: string) =>
        service.call('POST', '/auth/saml/callback', {
          ...{ ...anonymous, body, headers: { 'content-type': 'application/x-www-form-urlencoded' } },
        });
      const answerAs = async (email: string) =>
        samlAnswer({ requestId: requestIdIn(await service.get('/auth/saml/login', anonymous)), email });
      await finish(await answerAs('zoe@example.com'));
      await finish(await answerAs('eve@evil.example'));
      await finish(samlForm('<nothing/>'));
      expect(await list()).toMatchObject([
        { username: '', auth_type: 'saml', successful: false, failure_reason: /^The assertion is not valid/ },
        { username: 'eve@evil.example', auth_type: 'saml', successful: false, failure_reason: /domain/ },
        { username: 'zoe@example.com', auth_type: 'saml', successful: true, failure_reason: null },
      ]);
    });

    test('shows successful and failed sign-ins by OIDC', async () => {
      await service.post('/api/admin/auth/oidc/settings', await oidcProviderSettings());
      const begun = await service.get('/auth/oidc/login', anonymous);
      const target = await signOnAt(begun, { email: 'zoe@example.com' });
      await service.get(target, anonymous);
      await service.get(target, { ...anonymous, headers: { cookie: cookieIn(begun) } });
      expect(await list()).toMatchObject([
        { username: 'zoe@example.com', auth_type: 'oidc', successful: true },
        { username: '', auth_type: 'oidc', successful: false, failure_reason: /Another browser/ },
      ]);
    });

    test('comes in pages, and as CSV without formulas for spreadsheets', async () => {
      for (const name of ['=HYPERLINK("https://evil.example")', 'second', 'third']) {
        await service.post('/api/admin/user-admin', { username: name, rootRole: 3 });
        await sendSignIn(service, { username: name, password: 'wrong' });
      }
      const [third, second] = await list('?limit=2');
      expect([third.username, second.username]).toEqual(['third', 'second']);
      expect(await list(`?before=${second.id}`)).toMatchObject([{ username: '=HYPERLINK("https://evil.example")' }]);
      const csv = await service.get('/api/admin/logins', { headers: { accept: 'text/csv' } });
      expect(csv.headers).toMatchObject({ 'content-type': 'text/csv; charset=utf-8', vary: 'accept' });
      const [head, , , line] = csv.text.trimEnd().split('\r\n');
      expect(head).toBe('id,username,auth_type,created_at,successful,ip,failure_reason');
      expect(line).toContain(`,"'=HYPERLINK(""https://evil.example"")",simple,`);
    });

    test('leaves out expired sign-ins, which the store deletes', async () => {
      const item = { id: 1, way: 'simple', address: '', expiresAtSeconds: 1 };
      await transact(service.table, [{ put: signInKeys.historyEntry(1), item }], undefined);
      await sendSignIn(service, { username: 'nobody', password: 'wrong' });
      expect(await list()).toHaveLength(1);
      const [, { expiresAtSeconds }] = (await kept()) as { expiresAtSeconds: number }[] as [unknown, typeof item];
      const days = (expiresAtSeconds * 1000 - Date.now()) / (24 * 60 * 60 * 1000);
      expect(Math.round(days)).toBe(90);
    });

    test('has at most 2,000 attempts, which fit into a reply even with long names', async () => {
      const item = (id: number) => ({
        ...{ id, way: 'simple', name: '\u0001'.repeat(254), address: '127.0.0.1' },
        ...{ reason: 'x'.repeat(200), expiresAtSeconds: 9_999_999_999 },
      });
      for (let id = 1; id <= 2_100; id += 100) {
        const some = Array.from({ length: 100 }, (_, index) => id + index);
        const writes = some.map((each) => ({ put: signInKeys.historyEntry(each), item: item(each) }));
        await transact(service.table, writes, undefined);
      }
      const { status, body, text } = await service.get('/api/admin/logins');
      expect([status, body.events.length]).toEqual([200, 2_000]);
      expect(JSON.stringify(text).length).toBeLessThan(6 * 1024 * 1024);
    });
  });

  describe('A flood of sign-ins', () => {
    test('leaves one attempt that the lock refused', async () => {
      for (let tries = 0; tries < 13; tries += 1) {
        await sendSignIn(service, { username: 'nobody', password: 'wrong' });
      }
      const events = await list();
      expect(events).toHaveLength(11);
      expect(events[0]).toMatchObject({ successful: false, failure_reason: /^Too many attempts/ });
    });

    test('leaves 250 refusals per quarter of an hour and one that says so, and does not hide sign-ins', async () => {
      const refused = () => Promise.reject(new ApiError('AuthenticationRequired', 'No.'));
      // As if all but the last three had been tried before.
      await countInWindow(service.table, attemptsKey('refusals kept', 'simple'), 247, 15 * 60);
      for (let tries = 0; tries < 5; tries += 1) {
        await expect(
          recordRefusals(service.table, { way: 'simple', name: `name ${tries}`, address: '' }, refused),
        ).rejects.toThrow('No.');
      }
      const { username, password } = await world.person();
      await sendSignIn(service, { username, password });
      const events = await list();
      expect(events).toHaveLength(3 + 2);
      expect(events.slice(0, 2)).toMatchObject([
        { username, successful: true },
        { username: '', successful: false, failure_reason: /Further failed attempts within 15 minutes/ },
      ]);
    });
  });
});

specify('createPat', {
  route: 'POST /api/admin/user/tokens',
  unversioned: 'it is there or not, and never changes',
  may: 'any token',
  request: async (world) => ({
    headers: { authorization: await world.knownToken() },
    body: { description: world.name('token'), expiresAt: '2126-01-01T00:00:00Z', scope: 'propose' },
  }),
  required: ['description', 'expiresAt'],
  again: 409,
});

const path = '/api/admin/user/tokens';
const expiresAt = '2126-01-01T00:00:00.000Z';

test('A token acts as its user, and shows its secret once', async ({ service }) => {
  const token = await newTokenOf(service, { username: 'zoe', rootRole: 'Editor' });
  const { status, body } = await service.post(path, { description: 'laptop', expiresAt }, { token });
  expect(status).toBe(201);
  const { secret, ...pat } = body;
  expect(pat).toEqual({
    id: pat.id,
    description: 'laptop',
    expiresAt,
    userId: pat.userId,
    createdAt: pat.createdAt,
    seenAt: null,
  });
  const { pats } = (await service.get(path, { token: secret })).body;
  expect(pats).toHaveLength(2);
  expect(pats).toContainEqual(pat);
});

test('The events of a token name its user and its description', async ({ service }) => {
  const token = await newTokenOf(service, { username: 'zoe' });
  const { id } = (await service.post(path, { description: 'helper', expiresAt, scope: 'propose' }, { token })).body;
  await service.call('DELETE', `${path}/${id}`, { token });
  const [deleted, created] = (await service.get('/api/admin/events?limit=2')).body.events;
  const data = { kind: 'agent', name: 'zoe', description: 'helper' };
  expect(created).toMatchObject({ type: 'pat-created', data });
  expect(deleted).toMatchObject({ type: 'pat-deleted', preData: data });
});

test('The tokens of a user have unique descriptions and are at most 100; an admin token has none', async ({
  service,
  world,
}) => {
  const token = await newTokenOf(service, { username: 'zoe' });
  const create = (description: string, as = token, at = expiresAt) =>
    service.post(path, { description, expiresAt: at }, { token: as });
  expect(await create('past', token, '2020-01-01T00:00:00Z')).toMatchObject({ status: 400 });
  expect((await create('one')).status).toBe(201);
  expect(await create('one')).toMatchObject({ status: 409 });
  const { userId } = (await service.get(path, { token })).body.pats[0];
  const user = { id: userId, username: 'zoe' };
  await world.tokens(user, 97);
  expect(await create('the last')).toMatchObject({ status: 201 });
  expect(await create('too many')).toMatchObject({ status: 400 });
  expect(await create('admin', service.adminToken)).toMatchObject({ status: 403 });
});

test('A token that a token creates does not outlive it', async ({ service }) => {
  const token = await newTokenOf(service, { username: 'zoe' });
  const soon = new Date(Date.now() + 60_000).toISOString();
  const make = (until: string, by: string) =>
    service.post(path, { description: until, expiresAt: until }, { token: by });
  const { secret } = (await make(soon, token)).body;
  expect(await make(expiresAt, secret)).toMatchObject({ status: 400, body: { details: [{ path: 'expiresAt' }] } });
  expect((await make(new Date(Date.parse(soon) - 1).toISOString(), secret)).status).toBe(201);
});

specify('getUserPermissions', {
  route: 'GET /api/admin/user-admin/{id}/permissions',
  ...openTo('Admin', 'ADMIN'),
  request: async (world) => ({
    params: { id: (await world.user()).id },
    query: { project: 'default', environment: 'development' },
  }),
  waits: 3,
});

test('The permissions of a user include those of groups', async ({ service, world }) => {
  const permissions = [{ name: 'UPDATE_FEATURE_ENVIRONMENT', environment: 'development' }];
  const role = await world.role({ permissions });
  const { id } = await world.user({ inProject: { project: 'default', role: 'Reader' } });
  const group = await world.groupId({ users: [{ user: { id } }] });
  await world.ask('PUT', `/api/admin/projects/default/groups/${group}/roles`, { roles: [role] });
  const held = async (query: string) => {
    const { overview, rootRole, projectRoles } = (await service.get(`/api/admin/user-admin/${id}/permissions${query}`))
      .body;
    const all = [...overview.root, ...overview.project, ...overview.environment];
    const names = all.filter(({ hasPermission }) => hasPermission).map(({ name }) => name);
    return { names, rootRole: rootRole.id, projectRoles: projectRoles.map((each: { id: number }) => each.id) };
  };
  expect(await held('?project=default&environment=development')).toEqual({
    ...{ names: ['UPDATE_FEATURE_ENVIRONMENT'], rootRole: 3, projectRoles: [6, role] },
  });
  expect(await held('?project=default&environment=production')).toMatchObject({ names: [] });
  expect(await held('')).toEqual({ names: [], rootRole: 3, projectRoles: [] });
  const admin = (await service.get('/api/admin/user-admin/1/permissions')).body.overview;
  expect(admin.root.every(({ hasPermission }: { hasPermission: boolean }) => hasPermission)).toBe(true);
});
