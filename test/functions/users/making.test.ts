import { expect } from 'vitest';
import { createToken, listTokens } from '../../../lib/identity/tokens/tokens.ts';
import { users } from '../../../lib/identity/users.ts';
import { listSessions, maxSessions } from '../../../lib/sign-in/sessions.ts';
import { interrupted } from '../../harness/imports.ts';
import { contentOf } from '../../harness/items.ts';
import { freshService } from '../../harness/service.ts';
import { serviceEvents } from '../../harness/service-events.ts';
import { giveSession, knownPassword, sendSignIn } from '../../harness/sign-in.ts';
import { stuckAfter } from '../../harness/stuck.ts';
import { problemsOf } from '../../invariants/problems.ts';
import { openTo, specify, test } from '../../specifications/specify.ts';

specify('createUser', {
  route: 'POST /api/admin/user-admin',
  ...openTo('Admin', 'ADMIN'),
  request: (world) => {
    const username = world.name('user');
    const email = `${username}@example.com`;
    return { body: { username, email, name: 'A User', rootRole: 3, password: 'Correct-horse-7', sendEmail: false } };
  },
  required: ['rootRole'],
  needed: ['username', 'email'],
  again: 409,
  waits: 3,
  differs: '409 for a user who exists, where Unleash answers 400; a weak password is refused',
});

const path = '/api/admin/user-admin';

test('The name of a person is trimmed', async ({ service }) => {
  const { body } = await service.post(path, { username: 'one', name: ' The One ', rootRole: 2 });
  expect(body.name).toBe('The One');
  expect((await service.put(`${path}/${body.id}`, { name: 'Number One\u00a0' })).body.name).toBe('Number One');
});

test('A user is created with a root role by id or name, which is returned as sent', async ({ service }) => {
  const one = await service.post(path, { username: 'one', email: 'One@example.com', name: 'The One', rootRole: 2 });
  expect(one).toMatchObject({ status: 201, headers: { location: `${path}/${one.body.id}` } });
  expect(one.body).toEqual({
    ...{
      id: one.body.id,
      accountType: 'User',
      username: 'one',
      email: 'One@example.com',
      name: 'The One',
      rootRole: 2,
    },
    ...{ seenAt: null, loginAttempts: 0, emailSent: false, createdAt: expect.any(String) },
    ...{ imageUrl: '', scimId: null, seatType: null, companyRole: null, productUpdatesEmailConsent: null },
    inviteLink: expect.stringMatching(/^http:\/\/localhost\/new-user\?token=\d+\.[\w-]{43}$/),
  });
  const two = await service.post(path, { email: 'two@example.com', rootRole: 'Editor' });
  expect(two.body).toMatchObject({ rootRole: 'Editor' });
  const found = (await service.get(`${path}/${two.body.id}`)).body;
  expect(found).toMatchObject({ email: 'two@example.com', rootRole: 2 });
  expect(found).not.toHaveProperty('username');
});

test('Two users share neither a name nor an address, not even in compatible letters', async ({ service }) => {
  await service.post(path, { username: 'one', email: 'one@example.com', rootRole: 3 });
  for (const body of [
    { username: 'ONE' },
    { username: 'ｏne' },
    { username: 'one@example．com' },
    { email: 'ONE@example.com' },
    { username: 'admin' },
    { username: 'One@Example.com' },
  ]) {
    expect(await service.post(path, { ...body, rootRole: 3 })).toMatchObject({
      status: 409,
      body: { name: 'NameExistsError' },
    });
  }
  const same = await Promise.all(
    Array.from({ length: 3 }, () => service.post(path, { email: 'many@example.com', rootRole: 3 })),
  );
  expect(same.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
});

test('A user name that is too long with its ligatures written out is a 400', async ({ service }) => {
  const refused = await service.post(path, { username: '\ufdfa'.repeat(100), rootRole: 3 });
  expect(refused).toMatchObject({ status: 400, body: { details: [{ path: 'username' }] } });
  expect((await service.post(path, { username: '\ufdfa'.repeat(14), rootRole: 3 })).status).toBe(201);
});

test('No user name is the address of another user, even with concurrent requests', async ({ service }) => {
  const names = [{ username: 'Boss@Example.com' }, { email: 'boss@example.COM' }, { username: 'boss@example.com' }];
  const answers = await Promise.all(names.map((body) => service.post(path, { ...body, rootRole: 3 })));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
  const { body } = await service.post(path, { username: 'zoe', rootRole: 3 });
  const address = 'zoe@example.com';
  await service.post(path, { username: address, rootRole: 3 });
  expect((await service.put(`${path}/${body.id}`, { email: address.toUpperCase() })).status).toBe(409);
});

test('A user name is free again after its user was renamed or deleted', async ({ service }) => {
  const { body } = await service.post(path, { email: 'one@example.com', rootRole: 3 });
  await service.put(`${path}/${body.id}`, { email: 'other@example.com' });
  expect((await service.post(path, { username: 'one@example.com', rootRole: 3 })).status).toBe(201);
  await service.call('DELETE', `${path}/${body.id}`);
  expect((await service.post(path, { username: 'Other@example.com', rootRole: 3 })).status).toBe(201);
});

test('A user whose names nobody can see is a 400', async ({ service }) => {
  const { status, body } = await service.post(path, { username: '\u3164', name: '\u2800', rootRole: 2 });
  expect(status).toBe(400);
  expect(body.details).toEqual([
    { message: 'A user name must be visible.', path: 'username' },
    { message: 'A name must be visible.', path: 'name' },
  ]);
});

test('A user without user name and address is a 400', async () => {
  expect(await (await freshService()).post(path, { rootRole: 3 })).toMatchObject({ status: 400 });
});

test('A user can be created with a password, but not a weak one', async ({ service }) => {
  await service.post(path, { username: 'zoe', rootRole: 3, password: 'Correct-horse-7' });
  const body = { username: 'zoe', password: 'Correct-horse-7' };
  expect((await sendSignIn(service, body)).status).toBe(200);
  const weak = await service.post(path, { username: 'bob', rootRole: 3, password: 'Correct-horse-x' });
  expect(weak).toMatchObject({ status: 400, body: { details: [{ path: 'password' }] } });
  expect(weak.text).not.toContain('horse');
});

test('A user without a password chooses one by a link that works once', async ({ service }) => {
  const { inviteLink } = (await service.post(path, { email: 'zoe@example.com', rootRole: 3 })).body;
  const token = new URL(inviteLink).searchParams.get('token');
  const choose = (password: string) => service.post('/auth/reset/password', { token, password }, { token: null });
  expect((await choose('Correct-horse-7')).status).toBe(200);
  expect((await choose('Another-horse-7')).status).toBe(401);
  const body = { username: 'zoe@example.com', password: 'Correct-horse-7' };
  expect((await sendSignIn(service, body)).status).toBe(200);
});

test('A root role may be custom, but neither a project role nor unknown', async ({ service, world }) => {
  const [ofTeam, ofProjects] = [await world.role({ type: 'root-custom' }), await world.role()];
  const create = (rootRole: number | string) =>
    service.post('/api/admin/user-admin', { username: world.name('user'), rootRole });
  const { status, body } = await create(ofTeam);
  expect([status, body.rootRole]).toEqual([201, ofTeam]);
  for (const rootRole of [ofProjects, 4, 77, 'Owner']) expect((await create(rootRole)).status).toBe(400);
  const { rootRoles } = (await service.get('/api/admin/user-admin')).body;
  expect(rootRoles.map(({ id }: { id: number }) => id)).toEqual([1, 2, 3, ofTeam]);
  const update = (rootRole: number) => service.call('PUT', `/api/admin/user-admin/${body.id}`, { body: { rootRole } });
  expect([(await update(ofProjects)).status, (await update(3)).status]).toEqual([400, 200]);
});

specify('updateUser', {
  route: 'PUT /api/admin/user-admin/{id}',
  ...openTo('Admin', 'ADMIN'),
  request: async (world) => ({
    params: { id: (await world.user()).id },
    body: { name: 'A User', email: `${world.name('mail')}@example.com`, rootRole: 'Editor' },
  }),
  again: 'nothing',
});

test('An update keeps omitted properties, and returns the role as sent', async ({ service }) => {
  const { id } = (await service.post(path, { username: 'one', email: 'one@example.com', rootRole: 3 })).body;
  const updated = await service.put(`${path}/${id}`, { name: 'New', email: '', rootRole: 'Editor' });
  expect(updated).toMatchObject({ status: 200, body: { name: 'New', email: 'one@example.com', rootRole: 'Editor' } });
  expect((await service.put(`${path}/${id}`, { email: 'new@example.com' })).body.rootRole).toBe(2);
  const again = await service.post(path, { email: 'one@example.com', rootRole: 3 });
  expect(again.status).toBe(201);
  expect(await service.put(`${path}/${id}`, { email: 'one@EXAMPLE.com' })).toMatchObject({ status: 409 });
});

test('A concurrent sign-in survives an update', async ({ service }) => {
  const { id } = (await service.post(path, { username: 'one', password: knownPassword, rootRole: 3 })).body;
  const enter = () => sendSignIn(service, { username: 'one', password: knownPassword });
  let last = '';
  for (const name of ['First', 'Second']) {
    const since = new Date().toISOString();
    const update = () => service.put(`${path}/${id}`, { name });
    expect(await interrupted(service.table, users.keyOf(id), enter, update)).toMatchObject({
      status: 200,
      body: { name },
    });
    const { seenAt } = (await service.get(`${path}/${id}`)).body;
    expect(seenAt > last && seenAt >= since, `${seenAt}`).toBe(true);
    last = seenAt;
  }
});

test('A reset link ends with another address, and with no other change', async ({ service }) => {
  const made = (await service.post(path, { email: 'mistyped@example.com', rootRole: 3 })).body;
  const { id } = made;
  const isOpen = async (link: string) =>
    (await service.get(`/auth/reset/validate${new URL(link).search}`, { token: null })).status === 200;
  await service.put(`${path}/${id}`, { name: 'Other', email: 'mistyped@example.com' });
  expect(await isOpen(made.inviteLink)).toBe(true);
  await service.put(`${path}/${id}`, { email: 'right@example.com' });
  expect(await isOpen(made.inviteLink)).toBe(false);
  const { resetPasswordUrl } = (await service.post(`${path}/reset-password`, { id: 'right@example.com' })).body;
  expect(await isOpen(resetPasswordUrl)).toBe(true);
});

test('The last Admin stays an Admin, even with concurrent requests', async ({ service }) => {
  const [{ id: first }] = (await service.get(path)).body.users;
  expect(await service.put(`${path}/${first}`, { rootRole: 3 })).toMatchObject({ status: 400 });
  const { id: second } = (await service.post(path, { username: 'two', rootRole: 1 })).body;
  const answers = await Promise.all([first, second].map((id) => service.put(`${path}/${id}`, { rootRole: 3 })));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
  expect((await service.get(`${path}/admin-count`)).body).toEqual({ password: 0, noPassword: 1, service: 0 });
});

specify('deleteUser', {
  route: 'DELETE /api/admin/user-admin/{id}',
  ...openTo('Admin', 'ADMIN'),
  request: async (world) => ({ params: { id: (await world.user()).id } }),
  again: 404,
});

test('A user is deleted with their tokens and sessions, each with an event', async ({ service, world }) => {
  const user = await world.user({ rootRole: 'Editor' });
  // More than are deleted together with their user.
  await world.tokens(user, 42);
  for (let index = 0; index < maxSessions; index += 1) await giveSession(service.table, user.id);
  const others = await world.token();
  expect(await service.call('DELETE', `${path}/${user.id}`)).toMatchObject({ status: 200, text: '' });
  expect((await listTokens(service.table)).filter(({ userId }) => userId === user.id)).toEqual([]);
  expect(await service.get('/api/admin/projects', { token: others })).toMatchObject({ status: 200 });
  expect(await listSessions(service.table, user.id)).toEqual([]);
  const types = (await serviceEvents(service.table)).map(({ type }) => type);
  expect(types.filter((type) => type === 'pat-deleted')).toHaveLength(42);
  expect(types.at(-1)).toBe('user-deleted');
});

test('A user with more roles and tokens than fit into a transaction is deleted, with If-Match, too', async ({
  service,
  world,
}) => {
  const user = await world.user();
  await world.tokens(user, 42);
  for (let index = 0; index < maxSessions; index += 1) await giveSession(service.table, user.id);
  await world.giveOwnRoles('users', user.id, 50);
  const { headers } = await service.get(`${path}/${user.id}`);
  const remove = (etag: string) => service.call('DELETE', `${path}/${user.id}`, { headers: { 'if-match': etag } });
  expect((await remove('"1"')).status).toBe(412);
  expect((await service.get(`${path}/${user.id}`)).headers.etag).toBe(headers.etag);
  expect((await remove(String(headers.etag))).status).toBe(200);
  expect((await listTokens(service.table)).filter(({ userId }) => userId === user.id)).toEqual([]);
  expect(problemsOf(await contentOf(service.table))).toEqual([]);
});

test('A token that is created while its user is deleted does not stay', async ({ service, world }) => {
  const [one, other] = [await world.user(), await world.user()];
  const make = (user: typeof one) => createToken(service.table, { kind: 'user', user });
  const remove = ({ id }: typeof one) => service.call('DELETE', `${path}/${id}`);

  const making = await stuckAfter(service.table, 0, () => make(one));
  expect((await remove(one)).status).toBe(200);
  await expect(making.goOn()).rejects.toThrow('no user');

  const deletion = await stuckAfter(service.table, 0, () => remove(other));
  await make(other);
  expect((await deletion.goOn()).status).toBe(200);
  const owners = (await listTokens(service.table)).map(({ userId }) => userId);
  expect(owners).not.toContain(one.id);
  expect(owners).not.toContain(other.id);
});

test('The last two Admins are not both deleted by concurrent requests', async ({ service }) => {
  const [{ id: first }] = (await service.get(path)).body.users;
  expect(await service.call('DELETE', `${path}/${first}`)).toMatchObject({ status: 400 });
  const { id: second } = (await service.post(path, { username: 'two', rootRole: 1 })).body;
  const answers = await Promise.all([first, second].map((id) => service.call('DELETE', `${path}/${id}`)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
});

specify('deleteInactiveUsers', {
  route: 'POST /api/admin/user-admin/inactive/delete',
  unversioned: 'it is about many things',
  ...openTo('Admin', 'ADMIN'),
  request: async (world) => ({ body: { ids: [(await world.user()).id] } }),
  required: ['ids'],
  waits: 3,
  differs: 'users who are gone are left out, so that it completes when it is sent again',
});

test('All users of a list are deleted except unknown ones and the last Admin', async ({ service, world }) => {
  const ids = [(await world.user()).id, (await world.user()).id];
  const path = '/api/admin/user-admin/inactive/delete';
  expect((await service.post(path, { ids: [...ids, 999] })).status).toBe(200);
  for (const id of ids) expect((await service.get(`/api/admin/user-admin/${id}`)).status).toBe(404);
  const [admin] = (await service.get('/api/admin/user-admin')).body.users;
  expect((await service.post(path, { ids: [admin.id] })).status).toBe(400);
});

test('The caller who deletes users stays, as on Unleash', async ({ service, world }) => {
  const [admin, user] = [await world.user({ rootRole: 'Admin' }), await world.user()];
  const { secret: token } = await world.pat(admin);
  const ids = [admin.id, user.id];
  expect((await service.post('/api/admin/user-admin/inactive/delete', { ids }, { token })).status).toBe(200);
  expect((await service.get(`/api/admin/user-admin/${admin.id}`)).status).toBe(200);
  expect((await service.get(`/api/admin/user-admin/${user.id}`)).status).toBe(404);
});

test('Two concurrent requests for the same users are both a 200, and delete each once', async ({ service, world }) => {
  const ids = [(await world.user()).id, (await world.user()).id, (await world.user()).id];
  const both = [0, 1].map(() => service.post('/api/admin/user-admin/inactive/delete', { ids }));
  expect((await Promise.all(both)).map(({ status }) => status)).toEqual([200, 200]);
  const { events } = (await service.get('/api/admin/events')).body;
  expect(events.filter(({ type }: { type: string }) => type === 'user-deleted')).toHaveLength(ids.length);
});
