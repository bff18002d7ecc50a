import { describe, expect, vi } from 'vitest';
import { readSeed } from '../../../lib/imports/seed/seed-data.ts';
import { accessRequests, registerAccessRequest } from '../../../lib/sign-in/access-requests.ts';
import { newTokenOf, shopSeed } from '../../harness/features.ts';
import { manageUser } from '../../harness/managed.ts';
import { freshService } from '../../harness/service.ts';
import { serviceEvents } from '../../harness/service-events.ts';
import { giveSession, sendSignIn } from '../../harness/sign-in.ts';
import type { World } from '../../harness/world.ts';
import { openTo, specify, test } from '../../specifications/specify.ts';

const path = '/api/admin/user-access-requests';

/** The variables of a path to the request of somebody without an account. */
async function asked(world: World, email = `${world.name('somebody')}@example.com`) {
  const { table } = world.service;
  await registerAccessRequest(table, { email });
  const found = await accessRequests.findHolders(table, 'email', [email]);
  return { id: found.get(email)?.id ?? 0 };
}

const unversioned = 'a request for access is approved or rejected once';

specify('getUserAccessRequests', {
  ...openTo('Admin', 'ADMIN'),
  route: 'GET /api/admin/user-access-requests',
  given: (world) => asked(world),
});

specify('approveUserAccessRequest', {
  ...openTo('Admin', 'ADMIN'),
  route: 'POST /api/admin/user-access-requests/{id}/approve',
  request: async (world) => ({ params: await asked(world), body: { rootRole: 3 } }),
  required: ['rootRole'],
  again: 404,
  unversioned,
});

specify('rejectUserAccessRequest', {
  ...openTo('Admin', 'ADMIN'),
  route: 'DELETE /api/admin/user-access-requests/{id}',
  request: async (world) => ({ params: await asked(world) }),
  again: 404,
  unversioned,
});

describe('A request for access', () => {
  test('becomes an account if it is approved', async ({ service, world }) => {
    const [zoe, eve] = [await asked(world, 'zoe@example.com'), await asked(world, 'eve@example.com')];
    const { body } = await service.get(path);
    expect(body.userAccessRequests).toEqual([
      { ...zoe, email: 'zoe@example.com', requestedAt: expect.any(String) },
      { ...eve, email: 'eve@example.com', requestedAt: expect.any(String) },
    ]);
    const approved = await service.post(`${path}/${zoe.id}/approve`, { rootRole: 2 });
    expect(approved).toMatchObject({ status: 200, body: { email: 'zoe@example.com', rootRole: 2 } });
    expect((await service.call('DELETE', `${path}/${eve.id}`)).status).toBe(204);
    expect((await service.get(path)).body.userAccessRequests).toEqual([]);
    const { body: all } = await service.get('/api/admin/user-admin');
    expect(all.users.flatMap(({ email }: { email?: string }) => email ?? [])).toEqual(['zoe@example.com']);
    const registered = { type: 'user-access-request-registered', data: { email: 'zoe@example.com' } };
    expect((await serviceEvents(service.table)).at(-5)).toMatchObject(registered);
  });

  test('waits if the role is unknown, or the address is in use meanwhile', async ({ service, world }) => {
    const { id } = await asked(world, 'zoe@example.com');
    expect((await service.post(`${path}/${id}/approve`, { rootRole: 99 })).status).toBe(400);
    await service.post('/api/admin/user-admin', { email: 'Zoe@example.com', rootRole: 3 });
    expect((await service.post(`${path}/${id}/approve`, { rootRole: 3 })).status).toBe(409);
    expect((await service.get(path)).body.userAccessRequests).toHaveLength(1);
  });

  test('is stored once per person, and at most a hundred are', async ({ service }) => {
    const ask = (email: string) => registerAccessRequest(service.table, { email });
    for (let index = 0; index < 100; index += 1) expect(await ask(`a${index}@example.com`)).toBe(true);
    expect(await ask('one-more@example.com')).toBe(false);
    expect(await ask('A7@example.com')).toBe(true);
    expect((await service.get(path)).body.userAccessRequests).toHaveLength(100);
  });
});

specify('deletePat', {
  route: 'DELETE /api/admin/user/tokens/{id}',
  unversioned: 'it is there or not, and never changes',
  may: 'any token',
  request: async (world) => {
    const user = await world.user();
    const { secret: authorization } = await world.pat(user);
    await world.ask('GET', '/api/admin/user', undefined, { authorization });
    return { headers: { authorization }, params: { id: (await world.pat(user)).id } };
  },
  again: 404,
});

test('A user cannot delete the tokens of others', async ({ service }) => {
  const [zoe, bob] = [await newTokenOf(service, { username: 'zoe' }), await newTokenOf(service, { username: 'bob' })];
  const [{ id }] = (await service.get('/api/admin/user/tokens', { token: zoe })).body.pats;
  const remove = (token: string) => service.call('DELETE', `/api/admin/user/tokens/${id}`, { token });
  expect(await remove(bob)).toMatchObject({ status: 404 });
  expect(await remove(service.adminToken)).toMatchObject({ status: 403 });
  expect(await remove(zoe)).toMatchObject({ status: 200 });
});

specify('deleteScimUsers', {
  route: 'DELETE /api/admin/user-admin/scim-users',
  unversioned: 'it deletes several things',
  ...openTo('Admin', 'ADMIN'),
  request: async (world) => {
    await manageUser(world.service, (await world.user()).id);
    return { stages: 2 };
  },
  again: 'nothing',
  waits: 5,
});

test('Of the users whom a directory manages, the caller and the last Admin stay', async ({ service, world }) => {
  const [own, gone, caller] = [await world.user(), await world.user(), await world.user({ rootRole: 'Admin' })];
  const { body: before } = await service.get('/api/admin/user-admin');
  const admin = before.users.find(({ username }: { username: string }) => username === 'admin');
  for (const { id } of [gone, caller, admin]) await manageUser(service, id);
  const idsAfter = async (token: string) => {
    expect((await service.call('DELETE', '/api/admin/user-admin/scim-users', { token })).status).toBe(200);
    const { body } = await service.get('/api/admin/user-admin');
    return body.users.map(({ id }: { id: number }) => id);
  };
  expect(await idsAfter((await world.pat(caller)).secret)).toEqual([own.id, caller.id]);
  expect(await idsAfter(service.adminToken)).toEqual([own.id, caller.id]);
  const events = (await serviceEvents(service.table)).filter(({ type }) => type === 'scim-users-deleted');
  expect(events).toMatchObject([{ data: { count: 2 } }]);
});

specify('getAdminCount', { route: 'GET /api/admin/user-admin/admin-count', ...openTo('Admin', 'ADMIN'), waits: 2 });

test('Admins are counted with and without passwords', async ({ service, world }) => {
  await world.person({ rootRole: 'Admin' });
  await world.person({ rootRole: 'Editor' });
  const { body } = await service.get('/api/admin/user-admin/admin-count');
  expect(body).toEqual({ password: 1, noPassword: 1, service: 0 });
});

specify('getInactiveUsers', { route: 'GET /api/admin/user-admin/inactive', ...openTo('Admin', 'ADMIN') });

test('Inactive users have no sign-in for 180 days, no valid token and no session', async ({ service, world }) => {
  const [never, seen, signedIn] = [await world.person(), await world.person(), await world.person()];
  await world.token();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 100 * 24 * 60 * 60 * 1000 });
  await sendSignIn(service, { username: seen.username, password: seen.password });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 81 * 24 * 60 * 60 * 1000 });
  // One in use is prolonged for as long as that lasts.
  await giveSession(service.table, signedIn.id);
  const { body } = await service.get('/api/admin/user-admin/inactive');
  vi.useRealTimers();
  const names = body.inactiveUsers.map(({ username }: { username: string }) => username);
  expect(names).toEqual(['admin', never.username]);
  expect(body.inactiveUsers[1]).toEqual({
    id: never.id,
    username: never.username,
    seenAt: null,
    createdAt: expect.any(String),
    patSeenAt: null,
  });
});

specify('getMe', { route: 'GET /api/admin/user', may: 'any token' });

test('A caller sees their user, permissions, and state of the admin UI', async () => {
  const service = await freshService(shopSeed);
  const me = async (token: string) => (await service.get('/api/admin/user', { token })).body;
  const admin = await me(service.adminToken);
  expect(admin).toMatchObject({ user: { id: -42 }, permissions: [{ permission: 'ADMIN' }], feedback: [], splash: {} });

  const inProject = { project: 'shop', role: 'Member' } as const;
  const token = await newTokenOf(service, { username: 'zoe', inProject });
  await service.post('/api/admin/feedback', { feedbackId: 'q1', neverShow: true }, { token });
  await service.call('POST', '/api/admin/splash/s1', { token });
  const zoe = await me(token);
  expect(zoe).toMatchObject({ user: { username: 'zoe', rootRole: 3 }, splash: { s1: true } });
  expect(zoe.feedback).toEqual([{ feedbackId: 'q1', neverShow: true, userId: zoe.user.id, given: expect.any(String) }]);
  expect(zoe.permissions).toContainEqual({ permission: 'CREATE_FEATURE', project: 'shop', environment: '*' });
  expect(zoe.permissions).not.toContainEqual({ permission: 'ADMIN' });
  const names = zoe.permissions.map(({ permission }: { permission: string }) => permission);
  expect(names).not.toContain('CREATE_PROJECT');
});

specify('getPats', {
  route: 'GET /api/admin/user/tokens',
  may: 'any token',
  request: async (world) => ({ headers: { authorization: await world.knownToken() } }),
});

specify('getProfile', {
  route: 'GET /api/admin/user/profile',
  may: 'any token',
  request: async (world) => ({ headers: { authorization: await world.knownToken() } }),
});

test('The profile of a user has their groups, and whether they can change a password', async () => {
  const service = await freshService(
    readSeed({ users: [{ username: 'zoe' }], groups: [{ name: 'team', users: ['zoe'] }] }),
  );
  const path = '/api/admin/user/profile';
  const token = await newTokenOf(service, { username: 'zoe' });
  expect((await service.get(path, { token })).body).toMatchObject({ groups: ['team'], canChangePassword: true });
  expect((await service.get(path)).body).toMatchObject({ groups: [], canChangePassword: false });
});

specify('getUser', {
  route: 'GET /api/admin/user-admin/{id}',
  ...openTo('Admin', 'ADMIN'),
  request: async (world) => ({ params: { id: (await world.user()).id } }),
});

test('A sign-in changes the ETag of a user, and not the version for If-Match', async ({ service, world }) => {
  const { id, username } = await world.user();
  const path = `/api/admin/user-admin/${id}`;
  const password = 'Correct-Horse-7';
  expect(await service.post(`${path}/change-password`, { password })).toMatchObject({ status: 200 });
  const { etag } = (await service.get(path)).headers;
  expect(await service.post('/auth/simple/login', { username, password })).toMatchObject({ status: 200 });
  const after = await service.get(path, { headers: { 'if-none-match': String(etag) } });
  expect(after).toMatchObject({ status: 200, body: { seenAt: expect.any(String) } });
  const headers = { 'if-match': String(etag) };
  expect(await service.put(path, { name: 'Somebody' }, { headers })).toMatchObject({ status: 200 });
});

specify('getUserRoles', {
  route: 'GET /api/admin/user/roles',
  may: 'any token',
  request: async (world) => ({ headers: { authorization: await world.knownToken() }, query: { projectId: 'default' } }),
});

test('A caller has their root role, and their roles in the project', async () => {
  const service = await freshService(shopSeed);
  const token = await newTokenOf(service, { username: 'zoe', inProject: { project: 'shop', role: 'Owner' } });
  const names = async (query: string, as = token) => {
    const { roles } = (await service.get(`/api/admin/user/roles${query}`, { token: as })).body;
    return roles.map(({ name, project }: { name: string; project?: string }) => [name, project]);
  };
  expect(await names('?projectId=shop')).toEqual([
    ['Viewer', undefined],
    ['Owner', 'shop'],
  ]);
  expect(await names('?projectId=default')).toEqual([['Viewer', undefined]]);
  expect(await names('', service.adminToken)).toEqual([['Admin', undefined]]);
  expect((await service.get('/api/admin/user/profile', { token })).body).toMatchObject({
    projects: ['shop'],
    rootRole: { id: 3 },
  });
});

specify('getUsers', {
  route: 'GET /api/admin/user-admin',
  ...openTo('Admin', 'ADMIN'),
  given: (world) => world.user(),
});

specify('searchUsers', {
  route: 'GET /api/admin/user-admin/search',
  ...openTo('Admin', 'ADMIN'),
  request: async (world) => ({ query: { q: (await world.user()).username } }),
});

test('Users are found by the beginning of their names, from two characters on', async ({ service }) => {
  const path = '/api/admin/user-admin';
  await service.post(path, { username: 'zoe', name: 'Zoe Q', email: 'z@flags.example.com', rootRole: 3 });
  const found = async (q: string) =>
    (await service.get(`${path}/search?q=${q}`)).body.map(({ id }: { id: number }) => id);
  const [id] = await found('zoe');
  expect(id).toEqual(expect.any(Number));
  for (const q of ['ZO', 'zoe%20q', 'Z@flags.example']) expect(await found(q)).toEqual([id]);
  for (const q of ['z', '', 'nobody', 'oe', 'flags.example', '%25oe', '__e']) expect(await found(q)).toEqual([]);
});

specify('validateUserPassword', {
  route: 'POST /api/admin/user-admin/validate-password',
  may: 'any token',
  request: () => ({ body: { password: 'Correct-horse-7', confirmPassword: 'Correct-horse-7', oldPassword: 'old' } }),
  required: ['password'],
});

// Which passwords keep the rules, test/lib/sign-in/passwords/password-rules.test.ts says.
test('A weak password is refused with the broken rule', async ({ service }) => {
  const validate = (password: string) => service.post('/api/admin/user-admin/validate-password', { password });
  const rule = 'The password must contain at least one number.';
  expect(await validate('Correct-horse-x')).toMatchObject({
    status: 400,
    body: { details: [{ message: rule, path: 'password', validationErrors: [rule] }] },
  });
});
