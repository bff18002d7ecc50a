import { describe, expect } from 'vitest';
import { forgetUser } from '../../../lib/identity/caller.ts';
import type { Member } from '../../../lib/identity/group-members.ts';
import { groups } from '../../../lib/identity/groups.ts';
import type { ShownGroup } from '../../../lib/people/groups/group-schema.ts';
import { manageGroup, manageUser, switchScimTo } from '../../harness/managed.ts';
import type { Service } from '../../harness/service.ts';
import { giveSession, knownPassword, sendSignIn } from '../../harness/sign-in.ts';
import { test } from '../../specifications/specify.ts';

/** A member whom the directory has added. */
const provisioned = (userId: number): Member => ({
  ...{ userId, joinedAt: new Date().toISOString(), createdBy: 'SCIM' },
  isProvisioned: true,
});

const managed = { name: 'NoAccessError', message: /is managed by your identity provider through SCIM/ };
const refused = { status: 403, body: { ...managed, message: expect.stringMatching(managed.message) } };

describe('While SCIM is on, of a user whom the directory manages', () => {
  test('the name and the address stay, and the role may change', async ({ service, world }) => {
    const { id } = await world.user();
    const put = (body: object) => service.put(`/api/admin/user-admin/${id}`, body);
    await put({ email: 'ann@example.com', name: 'Ann' });
    await manageUser(service, id);
    expect((await put({ name: 'Anna' })).status).toBe(200);
    await switchScimTo(service, true);
    expect(await put({ name: 'Annabel' })).toMatchObject(refused);
    expect(await put({ email: 'anna@example.com' })).toMatchObject(refused);
    expect(await put({ name: 'Anna', email: 'ann@example.com', rootRole: 2 })).toMatchObject({ status: 200 });
    expect((await service.get(`/api/admin/user-admin/${id}`)).body).toMatchObject({
      ...{ name: 'Anna', email: 'ann@example.com', rootRole: 2, scimId: `user-${id}` },
    });
  });

  test('nobody else gives a password: not an Admin, and not a link from before', async ({ service, world }) => {
    const { id, username } = await world.user();
    const makeLink = () => service.post('/api/admin/user-admin/reset-password', { id: username });
    const token = new URL((await makeLink()).body.resetPasswordUrl).searchParams.get('token');
    await manageUser(service, id);
    await switchScimTo(service, true);
    const body = { password: knownPassword, confirmPassword: knownPassword };
    expect(await service.post(`/api/admin/user-admin/${id}/change-password`, body)).toMatchObject(refused);
    expect(await makeLink()).toMatchObject(refused);
    expect(await service.post('/auth/reset/password', { token, ...body }, { token: null })).toMatchObject(refused);
    expect((await service.get(`/auth/reset/validate?token=${token}`, { token: null })).status).toBe(403);
    await switchScimTo(service, false);
    expect((await service.post('/auth/reset/password', { token, ...body }, { token: null })).status).toBe(200);
  });

  test('the account can be deleted', async ({ service, world }) => {
    const { id } = await world.user();
    await manageUser(service, id);
    await switchScimTo(service, true);
    expect((await service.call('DELETE', `/api/admin/user-admin/${id}`)).status).toBe(200);
  });
});

test('While SCIM is on, the name and the members of a group that it manages stay', async ({ service, world }) => {
  const [{ id: ann }, { id: bob }] = [await world.user(), await world.user()];
  const users = [{ user: { id: ann } }];
  const id = await world.groupId({ name: 'staff', users });
  await manageGroup(service, id, { members: [provisioned(ann)] });
  await switchScimTo(service, true);
  const put = (body: object) => service.put(`/api/admin/groups/${id}`, { name: 'staff', ...body });
  expect(await put({ name: 'crew' })).toMatchObject(refused);
  expect(await put({ users: [...users, { user: { id: bob } }] })).toMatchObject(refused);
  expect(await put({ users: [] })).toMatchObject(refused);
  const open = { description: 'Everybody', rootRole: 2, mappingsSSO: ['all'] };
  expect(await put({ users, ...open })).toMatchObject({ status: 200, body: { ...open, scimId: `group-${id}` } });
  // A deleted member is not shown, so that an editor sends the list without them.
  await service.call('DELETE', `/api/admin/user-admin/${ann}`);
  expect((await put({ users: [] })).status).toBe(200);
  expect((await service.call('DELETE', `/api/admin/groups/${id}`)).status).toBe(200);
});

test('While SCIM is on, an Admin can remove members of a managed group whom the directory has not added', async ({
  service,
  world,
}) => {
  const [{ id: ann }, { id: bob }] = [await world.user(), await world.user()];
  const id = await world.groupId({ name: 'staff', users: [{ user: { id: bob } }] });
  const { value } = await groups.load(service.table, id);
  await manageGroup(service, id, { members: [...value.members, provisioned(ann)] });
  await switchScimTo(service, true);
  // The group says who they are.
  const { body } = await service.get(`/api/admin/groups/${id}`);
  const { users } = body as ShownGroup;
  expect(users.map(({ user, provisioned: isOfDirectory }) => [user.id, isOfDirectory])).toEqual([
    [bob, undefined],
    [ann, true],
  ]);
  const put = (...ids: readonly number[]) =>
    service.put(`/api/admin/groups/${id}`, { name: 'staff', users: ids.map((each) => ({ user: { id: each } })) });
  expect(await put(bob)).toMatchObject(refused);
  expect(await put(ann)).toMatchObject({ status: 200, body: { userCount: 1 } });
  expect(await world.groupsOf(bob)).toEqual([]);
});

describe('A deactivated user', () => {
  const deactivate = async (service: Service, id: number) => {
    await manageUser(service, id, { isDeactivated: true });
    forgetUser(service.table, id);
  };

  test('cannot sign in with the right password, and learns why', async ({ service, world }) => {
    const { id, username, password } = await world.person();
    await deactivate(service, id);
    expect(await sendSignIn(service, { username, password: 'Wrong-horse-7' })).toMatchObject({ status: 401 });
    const answer = await sendSignIn(service, { username, password });
    expect(answer).toMatchObject({ status: 403, body: { message: expect.stringMatching(/is deactivated/) } });
  });

  test('has no rights, by a session or a token', async ({ service, world }) => {
    const user = await world.user({ rootRole: 'Admin' });
    const { secret: token } = await world.pat(user);
    const cookie = await giveSession(service.table, user.id);
    const statuses = async () => [
      (await service.get('/api/admin/user-admin', { token })).status,
      (await service.get('/api/admin/user-admin', { token: null, headers: { cookie } })).status,
    ];
    expect(await statuses()).toEqual([200, 200]);
    await deactivate(service, user.id);
    expect(await statuses()).toEqual([401, 401]);
    expect((await service.get(`/api/admin/user-admin/${user.id}`)).body).toMatchObject({ deactivated: true });
  });

  test('does not count as another Admin when the last active one would be deleted or get another role', async ({
    service,
    world,
  }) => {
    const { id } = await world.user({ rootRole: 'Admin' });
    await deactivate(service, id);
    const { body } = await service.get('/api/admin/user-admin');
    const admin = body.users.find(({ username }: { username: string }) => username === 'admin');
    expect((await service.put(`/api/admin/user-admin/${admin.id}`, { rootRole: 3 })).status).toBe(400);
    expect((await service.call('DELETE', `/api/admin/user-admin/${admin.id}`)).status).toBe(400);
    expect((await service.call('DELETE', `/api/admin/user-admin/${id}`)).status).toBe(200);
  });
});
