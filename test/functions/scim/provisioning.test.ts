import { describe, expect } from 'vitest';
import { directoryActor, systemUser } from '../../../lib/events/actor.ts';
import { groups } from '../../../lib/identity/groups.ts';
import { projectRoles } from '../../../lib/identity/permissions.ts';
import { createToken } from '../../../lib/identity/tokens/tokens.ts';
import { replaceScimToken } from '../../../lib/people/scim-settings.ts';
import { groupKind, userKind } from '../../../lib/scim/attributes.ts';
import { parseOperations, patchResource } from '../../../lib/scim/patch.ts';
import { anotherProcess } from '../../harness/another-process.ts';
import { connectDirectory, numberIn } from '../../harness/directory.ts';
import { cutOffAfter } from '../../harness/imports.ts';
import { interceptRequests } from '../../harness/intercept.ts';
import { manageGroup } from '../../harness/managed.ts';
import { serviceEvents } from '../../harness/service-events.ts';
import { giveSession, knownPassword, sendSignIn } from '../../harness/sign-in.ts';
import { test } from '../../specifications/specify.ts';

describe('A person of a directory', () => {
  test('who exists already becomes managed, and keeps their roles', async ({ service, world }) => {
    const directory = connectDirectory(service, world);
    const { body: existing } = await service.post('/api/admin/user-admin', { email: 'ann@example.com', rootRole: 2 });
    const { status, body } = await directory.post('/Users', { userName: 'Ann@example.com', externalId: 'x1' });
    expect([status, numberIn(body.id)]).toEqual([201, existing.id]);
    const { body: shown } = await service.get(`/api/admin/user-admin/${existing.id}`);
    expect(shown).toMatchObject({ rootRole: 2, scimId: body.id });
    const last = (await serviceEvents(service.table)).at(-1);
    expect(last).toMatchObject({
      type: 'user-updated',
      createdBy: 'SCIM',
      data: { scimId: body.id, externalId: 'x1' },
    });
  });

  test('cannot be created during maintenance', async ({ service, world }) => {
    const directory = connectDirectory(service, world);
    await directory.user('ann@example.com');
    await service.post('/api/admin/maintenance', { enabled: true });
    expect((await directory.post('/Users', { userName: 'ben@example.com' })).status).toBe(503);
    expect((await directory.get('/Users')).status).toBe(200);
    await service.post('/api/admin/maintenance', { enabled: false });
  });

  test('whose address somebody else has claimed by an invitation gets the account without the access of that person', async ({
    service,
    world,
  }) => {
    const directory = connectDirectory(service, world);
    const signup = `/invite/${await world.invitation()}/signup`;
    const body = { username: 'mallory', email: 'ann@example.com', name: 'Mallory', password: knownPassword };
    const { id } = (await service.post(signup, body, { token: null })).body;
    const cookie = await giveSession(service.table, id);
    expect(numberIn(await directory.user('ann@example.com'))).toBe(id);
    expect((await service.get('/api/admin/user', { token: null, headers: { cookie } })).status).toBe(401);
    const login = { username: 'ann@example.com', password: knownPassword };
    expect((await sendSignIn(service, login)).status).toBe(401);
  });

  test('whose user name somebody else has claimed by an invitation gets the account without the access of that person', async ({
    service,
    world,
  }) => {
    const directory = connectDirectory(service, world);
    const signup = `/invite/${await world.invitation()}/signup`;
    const body = { username: 'ann', email: 'mallory@example.com', name: 'Mallory', password: knownPassword };
    const { id } = (await service.post(signup, body, { token: null })).body;
    const cookie = await giveSession(service.table, id);
    const emails = [{ value: 'ann@example.com', primary: true }];
    expect(numberIn(await directory.user('ann', { emails }))).toBe(id);
    expect((await service.get('/api/admin/user', { token: null, headers: { cookie } })).status).toBe(401);
    for (const username of ['ann', 'ann@example.com', 'mallory@example.com'])
      expect((await sendSignIn(service, { username, password: knownPassword })).status).toBe(401);
  });

  test('is not linked by the user name alone to somebody with more rights than a Viewer or a role in a project, nor by a name that only looks the same', async ({
    service,
    world,
  }) => {
    const directory = connectDirectory(service, world);
    const founder = await world.role({ type: 'root-custom', permissions: [{ name: 'CREATE_PROJECT' }] });
    await service.post('/api/admin/user-admin', { username: 'root', rootRole: 1 });
    await service.post('/api/admin/user-admin', { username: 'editor', rootRole: 2 });
    await service.post('/api/admin/user-admin', { username: 'founder', rootRole: founder });
    await service.post('/api/admin/user-admin', { username: 'ann', email: 'ann@example.com', rootRole: 3 });
    const emails = [{ value: 'mallory@example.com' }];
    const { body: deputy } = await service.post('/api/admin/user-admin', { username: 'deputy', rootRole: 3 });
    await service.post('/api/admin/groups', { name: 'Deputies', rootRole: 1, users: [{ user: { id: deputy.id } }] });
    const reader = await world.user({ inProject: { project: 'default', role: 'Reader' } });
    const approver = await world.user();
    const group = await world.groupId({ users: [{ user: { id: approver.id } }] });
    await service.put(`/api/admin/projects/default/groups/${group}/roles`, { roles: [projectRoles.Approver] });
    const ofProjects = [reader.username, approver.username];
    for (const userName of ['root', 'editor', 'founder', 'deputy', ...ofProjects, 'ａｎｎ', 'ａnn@example.com'])
      expect((await directory.post('/Users', { userName, emails })).body).toMatchObject({ scimType: 'uniqueness' });
    const { body } = await service.get('/api/admin/user-admin');
    expect(body.users.filter(({ scimId }: { scimId: string | null }) => scimId)).toEqual([]);
    await directory.user('ann', { emails });
  });

  test('is refused if the name, the address or the external id belongs to another, or to a service account', async ({
    service,
    world,
  }) => {
    const directory = connectDirectory(service, world);
    await service.post('/api/admin/service-account', { username: 'robot', name: 'Robot', rootRole: 3 });
    await directory.user('ann@example.com', { externalId: 'x1' });
    const taken = [
      { userName: 'ANN@example.com' },
      { userName: 'ann2@example.com', externalId: 'x1' },
      { userName: 'ann2', emails: [{ value: 'ann@example.com' }] },
      { userName: 'robot' },
    ];
    for (const person of taken) {
      expect((await directory.post('/Users', person)).body).toMatchObject({ status: '409', scimType: 'uniqueness' });
    }
    const other = await directory.user('ben@example.com');
    const renamed = await directory.patch(`/Users/${other}`, {
      op: 'replace',
      path: 'userName',
      value: 'ann@example.com',
    });
    expect(renamed.body).toMatchObject({ status: '409', scimType: 'uniqueness' });
  });

  test('who is deactivated loses sessions and tokens, and has roles and groups again once they are active', async ({
    service,
    world,
  }) => {
    const directory = connectDirectory(service, world);
    const id = await directory.user('ann@example.com');
    const userId = numberIn(id);
    await service.call('PUT', `/api/admin/projects/default/users/${userId}/roles`, { body: { roles: [5] } });
    await directory.group('Checkout', [id]);
    const cookie = await giveSession(service.table, userId);
    const asAnn = () => service.get('/api/admin/user', { token: null, headers: { cookie } });
    expect((await asAnn()).status).toBe(200);

    await directory.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false });
    expect((await asAnn()).status).toBe(401);
    await directory.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: true });
    // The session has ended for good, the roles have not.
    expect((await asAnn()).status).toBe(401);
    const { users } = (await service.get('/api/admin/projects/default/access')).body;
    expect(users).toMatchObject([{ id: userId, roles: [5] }]);
    expect((await service.get('/api/admin/groups')).body.groups).toMatchObject([{ users: [{ user: { id: userId } }] }]);
  });

  test('who is deleted is found no more, and gets user and roles back when they are created again', async ({
    service,
    world,
  }) => {
    const directory = connectDirectory(service, world);
    const person = { externalId: 'x1', displayName: 'Ann' };
    const id = await directory.user('ann@example.com', person);
    const userId = numberIn(id);
    await service.call('PUT', `/api/admin/projects/default/users/${userId}/roles`, { body: { roles: [4] } });
    const group = await directory.group('Checkout', [id]);
    expect((await directory.remove(`/Users/${id}`)).status).toBe(204);
    expect((await directory.remove(`/Users/${id}`)).status).toBe(404);
    expect((await directory.get(`/Users/${id}`)).body).toMatchObject({ status: '404' });
    expect((await directory.get('/Users')).body.totalResults).toBe(0);
    expect((await directory.get(`/Groups/${group}`)).body).not.toHaveProperty('members');
    const [gone] = (await service.get('/api/admin/user-admin/search?q=ann')).body;
    expect(gone).toMatchObject({ id: userId, scimId: null });

    const again = await directory.user('ann@example.com', person);
    expect(numberIn(again)).toBe(userId);
    const { users } = (await service.get('/api/admin/projects/default/access')).body;
    expect(users).toMatchObject([{ id: userId, roles: [4] }]);
  });

  test('is not deactivated as the last Admin', async ({ service, world }) => {
    const directory = connectDirectory(service, world);
    const admins = (await service.get('/api/admin/user-admin')).body.users as { id: number; rootRole: number }[];
    const id = await directory.user('ann@example.com');
    await service.put(`/api/admin/user-admin/${numberIn(id)}`, { rootRole: 1 });
    for (const admin of admins.filter(({ rootRole }) => rootRole === 1)) {
      expect((await service.call('DELETE', `/api/admin/user-admin/${admin.id}`)).status).toBe(200);
    }
    const off = { op: 'replace', path: 'active', value: false };
    expect((await directory.patch(`/Users/${id}`, off)).status).toBe(400);
    expect((await directory.remove(`/Users/${id}`)).status).toBe(400);
    expect((await directory.get(`/Users/${id}`)).body.active).toBe(true);
  });

  test('is listed by pages, and alone with the attributes that are wanted', async ({ service, world }) => {
    const directory = connectDirectory(service, world);
    for (const name of ['a', 'b', 'c']) await directory.user(`${name}@example.com`, { displayName: name });
    const namesOn = async (query: string) =>
      (await directory.get(`/Users?${query}`)).body.Resources.map(({ userName }: { userName: string }) => userName[0]);
    expect(await namesOn('startIndex=2&count=1')).toEqual(['b']);
    expect(await namesOn('startIndex=3&count=10')).toEqual(['c']);
    expect(await namesOn('startIndex=0&count=2')).toEqual(['a', 'b']);
    expect((await directory.get('/Users?count=0')).body).toMatchObject({ totalResults: 3, Resources: [] });
    const [first] = (await directory.get('/Users?attributes=displayName,meta.version')).body.Resources;
    expect(Object.keys(first).toSorted()).toEqual(['displayName', 'id', 'meta', 'schemas']);
    expect(Object.keys(first.meta)).toEqual(['version']);
  });

  test('has a version for If-Match and If-None-Match', async ({ service, world }) => {
    const directory = connectDirectory(service, world);
    const id = await directory.user('ann@example.com');
    const { authorization } = await world.directory();
    const target = `/scim/Users/${id}`;
    const { headers, body } = await service.get(target, { headers: { authorization } });
    const { etag = '' } = headers;
    expect(body.meta.version).toBe(etag);
    expect((await service.get(target, { headers: { authorization, 'if-none-match': etag } })).status).toBe(304);
    const change = { displayName: 'Ann', userName: 'ann@example.com' };
    const put = () => service.put(target, change, { headers: { authorization, 'if-match': etag } });
    expect((await put()).status).toBe(200);
    expect((await put()).body).toMatchObject({ status: '412' });
  });
});

describe('A group of a directory', () => {
  test('is linked to the group whose mapping has its name, and its members get the roles of that group', async ({
    service,
    world,
  }) => {
    const directory = connectDirectory(service, world);
    const { body: editors } = await service.post('/api/admin/groups', {
      name: 'editors',
      mappingsSSO: ['entra-editors'],
      rootRole: 2,
    });
    const user = await directory.user('ann@example.com');
    const group = await directory.group('entra-editors', [user]);
    expect(numberIn(group)).toBe(editors.id);
    const shown = (await service.get(`/api/admin/groups/${editors.id}`)).body;
    expect(shown).toMatchObject({ name: 'editors', rootRole: 2, scimId: group, userCount: 1 });
    const [{ rootRole }] = (await service.get('/api/admin/groups')).body.groups;
    expect(rootRole).toBe(2);
    expect((await directory.get(`/Groups/${group}`)).body.displayName).toBe('entra-editors');

    // The group was there before the directory, so it stays.
    expect((await directory.remove(`/Groups/${group}`)).status).toBe(204);
    expect((await service.get(`/api/admin/groups/${editors.id}`)).body).toMatchObject({
      name: 'editors',
      rootRole: 2,
      scimId: null,
      userCount: 0,
    });
  });

  test('that was here before stays when the directory deletes it, though its creator has the name of the directory', async ({
    service,
    world,
  }) => {
    const directory = connectDirectory(service, world);
    const { secret: token } = await createToken(service.table, { kind: 'admin', name: directoryActor.name });
    const { body: ours } = await service.post('/api/admin/groups', { name: 'checkout' }, { token });
    expect(ours.createdBy).toBe('SCIM');
    const members = [await directory.user('ann@example.com')];
    // It also stays if it was linked and left before.
    for (const _time of ['first', 'second']) {
      const group = await directory.group('checkout', members);
      expect(numberIn(group)).toBe(ours.id);
      expect((await directory.remove(`/Groups/${group}`)).status).toBe(204);
      const { body } = await service.get(`/api/admin/groups/${ours.id}`);
      expect(body).toMatchObject({ name: 'checkout', scimId: null, userCount: 0 });
    }
    const theirs = await directory.group('billing', members);
    await directory.remove(`/Groups/${theirs}`);
    expect((await service.get(`/api/admin/groups/${numberIn(theirs)}`)).status).toBe(404);
  });

  test('does not become a group here that has roles, until an Admin has given that group its name as a mapping', async ({
    service,
    world,
  }) => {
    const directory = connectDirectory(service, world);
    const user = await directory.user('ann@example.com');
    const create = (displayName: string) => directory.post('/Groups', { displayName, members: [{ value: user }] });
    const { body: admins } = await service.post('/api/admin/groups', { name: 'Admins', rootRole: 1 });
    const { body: owners } = await service.post('/api/admin/groups', { name: 'Owners' });
    await service.put(`/api/admin/projects/default/groups/${owners.id}/roles`, { roles: [4] });
    for (const { id, name } of [admins, owners]) {
      const place = `/api/admin/groups/${id}`;
      expect((await create(name)).body).toMatchObject({
        ...{ status: '409', scimType: 'uniqueness' },
        detail: expect.stringContaining('mappingsSSO'),
      });
      expect((await service.get(place)).body).toMatchObject({ userCount: 0, scimId: null });
      expect((await directory.find('/Groups', `displayName eq "${name}"`)).body.totalResults).toBe(0);
      await service.put(place, { name, mappingsSSO: [name] });
      expect((await create(name)).status).toBe(201);
      expect((await service.get(place)).body).toMatchObject({ name, userCount: 1, scimId: `group-${id}` });
    }
  });

  test('keeps the members whom an administrator added before', async ({ service, world }) => {
    const directory = connectDirectory(service, world);
    const { id: manual } = await world.user();
    await service.post('/api/admin/groups', { name: 'checkout', users: [{ user: { id: manual } }] });
    const [one, two] = [await directory.user('one@example.com'), await directory.user('two@example.com')];
    const group = await directory.group('checkout', [one]);
    const put = await directory.put(`/Groups/${group}`, { displayName: 'checkout', members: [{ value: two }] });
    expect(put.body.members).toMatchObject([{ value: two }]);
    const { users } = (await service.get(`/api/admin/groups/${numberIn(group)}`)).body;
    expect(users.map(({ user }: { user: { id: number } }) => user.id)).toEqual([manual, numberIn(two)]);
  });

  test('with thousands of members has room in its item, lists few of them in events, and gets one more by one change', async ({
    service,
    world,
  }) => {
    const directory = connectDirectory(service, world);
    const [one, two] = [await directory.user('one@example.com'), await directory.user('two@example.com')];
    const id = await directory.group('everybody', [one]);
    // Those who were added one by one need the most space, and ids of deleted users as much as others.
    const { value } = await groups.load(service.table, numberIn(id));
    const members = Array.from({ length: 9_998 }, (_, index) => ({
      ...{ userId: 100_000 + index, joinedAt: new Date(index * 2_400_123).toISOString(), createdBy: 'SCIM' },
      isProvisioned: true as const,
    }));
    await manageGroup(service, numberIn(id), { members: [...value.members, ...members] });
    const { body } = await directory.patch(`/Groups/${id}`, { op: 'add', path: 'members', value: [{ value: two }] });
    expect(body.members).toHaveLength(10_000);
    const { users } = (await service.get(`/api/admin/groups/${numberIn(id)}`)).body;
    expect(users.map(({ user }: { user: { id: number } }) => user.id)).toEqual([one, two].map(numberIn));
    const [updated, added] = (await serviceEvents(service.table)).slice(-2);
    expect(updated).toMatchObject({ type: 'group-updated' });
    expect(updated?.data).not.toHaveProperty('users');
    expect(added).toMatchObject({ type: 'group-user-added', data: { userId: numberIn(two) } });
    const three = await directory.user('three@example.com');
    const more = await directory.patch(`/Groups/${id}`, { op: 'add', path: 'members', value: [{ value: three }] });
    expect(more.body).toMatchObject({ status: '400', detail: expect.stringContaining('10000') });
  });

  test('is not the one that an administrator creates under its name, while it has only some of its members', async ({
    service,
    world,
  }) => {
    const directory = connectDirectory(service, world);
    const names = Array.from({ length: 41 }, (_, index) => `person${index}@example.com`);
    const members = (await Promise.all(names.map((name) => directory.user(name)))).map((value) => ({ value }));
    const create = () => directory.post('/Groups', { displayName: 'admins', members });
    expect((await cutOffAfter(service.table, 1, create)).status).toBe(500);
    const group = { name: 'admins', rootRole: 1 };
    expect((await service.post('/api/admin/groups', group)).status).toBe(409);
    expect((await create()).body.members).toHaveLength(41);
  });

  test('can have a longer name than here, which is cut between two characters', async ({ service, world }) => {
    const directory = connectDirectory(service, world);
    const group = await directory.group(`${'a'.repeat(99)}😀 team`);
    const nameOf = async () => (await service.get(`/api/admin/groups/${numberIn(group)}`)).body.name;
    expect(await nameOf()).toBe('a'.repeat(99));
    await directory.patch(`/Groups/${group}`, { op: 'replace', path: 'displayName', value: 'team' });
    expect(await nameOf()).toBe('team');
  });

  test('gets no member whom the directory deletes at that moment', async ({ service, world }) => {
    const directory = connectDirectory(service, world);
    const group = await directory.group('team');
    for (const [index, act] of [
      (value: string) => directory.patch(`/Groups/${group}`, { op: 'add', path: 'members', value: [{ value }] }),
      (value: string) => directory.post('/Groups', { displayName: 'new', members: [{ value }] }),
    ].entries()) {
      const userName = `ann${index}@example.com`;
      const person = await directory.user(userName);
      let isDeleted = false;
      using _deletion = interceptRequests(service.table, async ({ operation }, next) => {
        if (operation === 'TransactWriteItems' && !isDeleted) {
          isDeleted = true;
          expect((await directory.remove(`/Users/${person}`)).status).toBe(204);
        }
        return next();
      });
      const { status, body } = await act(person);
      expect([isDeleted, status < 300, body.members]).toEqual([true, true, undefined]);
      expect(await directory.user(userName)).toBe(person);
      expect((await directory.find('/Groups', `members eq "${person}"`)).body.totalResults).toBe(0);
    }
  });

  test('with many members is created and changed in several transactions, and a repeat completes what any of them has begun', async ({
    service,
    world,
  }) => {
    const directory = connectDirectory(service, world);
    const people: string[] = [];
    for (let index = 0; index < 90; index += 1) people.push(await directory.user(`person-${index}@example.com`));
    const members = people.map((value) => ({ value }));
    const countIn = async (id: string) => (await directory.get(`/Groups/${id}`)).body.members?.length ?? 0;
    let id = '';
    for (let cut = 0; ; cut += 1) {
      const create = () => directory.post('/Groups', { displayName: `everybody ${cut}`, members });
      const first = await cutOffAfter(service.table, cut, create);
      const { status, body } = first.status === 500 ? await create() : first;
      expect([status, body.members.length]).toEqual([201, 90]);
      id = body.id;
      expect((await create()).status).toBe(409);
      if (first.status !== 500) break;
    }
    for (let cut = 0; ; cut += 1) {
      const remove = () =>
        directory.patch(`/Groups/${id}`, { op: 'replace', path: 'members', value: members.slice(85) });
      const first = await cutOffAfter(service.table, cut, remove);
      if (first.status === 500) expect((await remove()).body.members).toHaveLength(5);
      else break;
      expect(await countIn(id)).toBe(5);
      await directory.patch(`/Groups/${id}`, { op: 'add', path: 'members', value: members });
      expect(await countIn(id)).toBe(90);
    }
    expect(await countIn(id)).toBe(5);
  });
});

/** Compares 10,000 values with 249 conditions. */
const tooMuchWork = [
  { op: 'add', path: 'emails', value: Array.from({ length: 10_000 }, (_, index) => String(index)) },
  { op: 'remove', path: `emails[${Array(249).fill('a pr').join(' or ')}]` },
];

describe('A request of a directory', () => {
  test('can remove a thousand members of a large group one by one', () => {
    const members = Array.from({ length: 4_000 }, (_, index) => ({ value: `user-${index}`, type: 'User' }));
    const removals = members
      .slice(0, 1_000)
      .map(({ value }) => ({ op: 'remove', path: `members[value eq "${value}"]` }));
    const patched = patchResource(groupKind, { displayName: 'A', members }, parseOperations({ Operations: removals }));
    expect(patched.members).toHaveLength(3_000);
  });

  test('does not recurse for each level of a value that nests its schema thousands of times', () => {
    const { schema } = userKind;
    const deep = `{"Operations":[{"op":"add","value":${`{"${schema}":`.repeat(15_000)}{}${'}'.repeat(15_000)}}]}`;
    expect(patchResource(userKind, { userName: 'ann' }, parseOperations(JSON.parse(deep)))).toEqual({
      userName: 'ann',
    });
  });

  test('adds no address without a value', () => {
    const ann = { userName: 'ann', displayName: 'Ann' };
    const nothing = [
      { op: 'add', path: 'emails.value', value: null },
      { op: 'add', path: 'emails', value: [{}] },
    ];
    for (const operation of nothing)
      expect(patchResource(userKind, ann, parseOperations({ Operations: [operation] }))).toEqual(ann);
  });

  test('is refused with another token, and while SCIM is off', async ({ service, world }) => {
    const { authorization } = await world.directory();
    const list = (headers: Record<string, string>) => service.get('/scim/v2/Users', { token: null, headers });
    expect((await list({ authorization })).status).toBe(200);
    for (const headers of [{}, { authorization: `${authorization}x` }, { authorization: service.adminToken }]) {
      expect((await list(headers as Record<string, string>)).body).toMatchObject({ status: '401' });
    }
    await service.post('/api/admin/scim-settings', { enabled: false });
    expect((await list({ authorization })).body).toMatchObject({ status: '401' });
  });

  test('is stored only if its token is still that of the directory', async ({ service, world }) => {
    const directory = connectDirectory(service, world);
    const id = await directory.user('ann@example.com');
    // This process still remembers the token.
    await replaceScimToken(anotherProcess(service.table), systemUser);
    expect((await directory.patch(`/Users/${id}`, { op: 'add', path: 'displayName', value: 'A' })).status).toBe(401);
  });

  test.for([
    ['invalidFilter', 'GET', '/Users?filter=userName%20eq', undefined],
    ['invalidPath', 'PATCH', '', [{ op: 'add', path: 'emails[', value: 'x' }]],
    ['noTarget', 'PATCH', '', [{ op: 'remove' }]],
    ['noTarget', 'PATCH', '', [{ op: 'replace', path: 'emails[type eq "home"].value', value: 'a@example.com' }]],
    ['invalidSyntax', 'PATCH', '', [{ op: 'swap', path: 'displayName', value: 'x' }]],
    ['invalidValue', 'PATCH', '', [{ op: 'replace', path: 'active', value: 'perhaps' }]],
    ['invalidValue', 'PATCH', '', [{ op: 'remove', path: 'userName' }]],
    ['invalidValue', 'PATCH', '', tooMuchWork],
    ['invalidValue', 'PATCH', '', [{ op: 'replace', path: 'emails', value: [{ value: 'nowhere', primary: true }] }]],
  ] as const)(
    'is refused with the reason %s: %s %s',
    async ([scimType, method, path, operations], { service, world }) => {
      const directory = connectDirectory(service, world);
      const place = path === '' ? `/Users/${await directory.user('ann@example.com')}` : path;
      const { status, body } = await directory.send(method, place, operations && { Operations: operations });
      expect([status, body.scimType]).toEqual([400, scimType]);
      expect(body.schemas).toEqual(['urn:ietf:params:scim:api:messages:2.0:Error']);
    },
  );
});
