import { beforeAll, describe, expect } from 'vitest';
import { readSeed } from '../../../lib/imports/seed/seed-data.ts';
import { problemPaths } from '../../harness/features.ts';
import { cutOffAfter } from '../../harness/imports.ts';
import { contentOf } from '../../harness/items.ts';
import { manageGroup } from '../../harness/managed.ts';
import { serviceEvents } from '../../harness/service-events.ts';
import { recordStoreRequests } from '../../harness/store-requests.ts';
import { stuckAfter } from '../../harness/stuck.ts';
import type { World } from '../../harness/world.ts';
import { problemsOf } from '../../invariants/problems.ts';
import { openTo, sharedService, specify, test } from '../../specifications/specify.ts';

/** A request for a group, with every field that it can have. */
async function groupBody(world: World) {
  return {
    name: world.name('group'),
    description: 'Who looks after payments',
    mappingsSSO: ['payments'],
    rootRole: await world.role({ type: 'root-custom' }),
    users: [{ user: { id: (await world.user()).id } }],
  };
}

specify('createGroup', {
  route: 'POST /api/admin/groups',
  ...openTo('Admin', 'ADMIN'),
  request: async (world) => ({ body: await groupBody(world) }),
  required: ['name', 'users.0.user', 'users.0.user.id'],
  bodyBytesMax: 262_144,
  nullable: ['description', 'rootRole'],
  waits: 2,
  again: 409,
});

test('Each member has an event, and the root role of the group', async ({ service, world }) => {
  const token = await world.knownToken();
  const { id: user } = (await service.get('/api/admin/user', { token })).body.user;
  const { body } = await service.post('/api/admin/groups', {
    name: 'editors',
    rootRole: 2,
    users: [{ user: { id: user } }],
  });
  expect(body).toMatchObject({ name: 'editors', rootRole: 2, userCount: 1, projects: [] });
  expect(body.users[0]).toMatchObject({ joinedAt: body.createdAt, user: { id: user } });
  expect((await serviceEvents(service.table)).slice(-2)).toMatchObject([
    { type: 'group-created', data: { id: body.id, name: 'editors' } },
    { type: 'group-user-added', data: { groupId: body.id, userId: user } },
  ]);
  const [again] = (await service.get('/api/admin/user-admin/access')).body.groups;
  expect(again).toMatchObject({ id: body.id, users: [{ user: { id: user } }] });
});

test('Unknown users and roles that are no root roles are refused', async ({ service }) => {
  const create = (more: object) => service.post('/api/admin/groups', { name: 'editors', ...more });
  expect(await create({ users: [{ user: { id: 1 } }, { user: { id: 998 } }, { user: { id: 999 } }] })).toMatchObject({
    status: 400,
    body: { details: [{ message: expect.stringContaining('998') }, { message: expect.stringContaining('999') }] },
  });
  for (const rootRole of [4, 77]) expect((await create({ rootRole })).status).toBe(400);
  expect(problemPaths(await create({ rootRole: 77, users: [{ user: { id: 998 } }] }))).toEqual(['rootRole', 'users']);
  expect((await service.get('/api/admin/groups')).body.groups).toEqual([]);
});

describe('A group with more members than fit into a transaction', () => {
  const service = sharedService(
    readSeed({ users: Array.from({ length: 90 }, (_, index) => ({ username: `user-${index}` })) }),
  );
  let users: { user: { id: number } }[];
  beforeAll(async () => {
    const listed = (await service.get('/api/admin/user-admin')).body.users as { id: number; username: string }[];
    users = listed.filter(({ username }) => username !== 'admin').map(({ id }) => ({ user: { id } }));
  });

  const create = (body: { name: string }, headers = {}) =>
    service.post('/api/admin/groups', { users, ...body }, { headers });
  const groupsOf = async (sought: string) =>
    (await service.get('/api/admin/groups')).body.groups.filter(({ name }: { name: string }) => name === sought);
  /** The number of events of this type that a group has. */
  const countEvents = async (sought: string, id: number) =>
    (await serviceEvents(service.table)).filter(({ type, data, preData }) => {
      const { groupId } = (data ?? preData) as { groupId?: number };
      return type === sought && groupId === id;
    }).length;

  test('is created, and loses most of them', async () => {
    const { status, body } = await create({ name: 'everybody' });
    expect([status, body.userCount]).toEqual([201, 90]);
    const few = { name: 'everybody', users: users.slice(85) };
    const reduced = await service.call('PUT', `/api/admin/groups/${body.id}`, { body: few });
    expect(reduced.body.userCount).toBe(5);
    expect(await countEvents('group-user-added', body.id)).toBe(90);
    expect(await countEvents('group-user-removed', body.id)).toBe(85);
  });

  test.each([
    ['without a key', false],
    ['with one', true],
  ])(
    'is completed by the same request after an interruption between any two transactions, %s',
    async (how, isKeyed) => {
      for (let cut = 0, isCutOff = true; isCutOff; cut += 1) {
        const name = `cut ${cut} ${how}`;
        const attempt = () => create({ name }, isKeyed ? { 'idempotency-key': `key-${cut}` } : {});
        isCutOff = (await cutOffAfter(service.table, cut, attempt)).status === 500;
        if (!isCutOff) break;
        const { status, body } = await attempt();
        expect([status, body.userCount], name).toEqual([201, 90]);
        expect(await groupsOf(name)).toMatchObject([{ userCount: 90 }]);
        expect(await countEvents('group-user-added', body.id)).toBe(90);
        const other = { name, users: users.slice(5) };
        expect((await create(other)).status).toBe(409);
      }
    },
  );

  test('reads each member once when it is saved, and as often as its transaction needs when all of them leave', async () => {
    const { id } = (await create({ name: 'readers' })).body;
    const countReads = async (body: object) => {
      const requests = await recordStoreRequests(service.table, () =>
        service.call('PUT', `/api/admin/groups/${id}`, { body: { name: 'readers', ...body } }),
      );
      const read = requests.filter(({ command }) => command === 'BatchGet').flatMap(({ targets }) => targets);
      const isOf = (id: number) => (target: string) =>
        Number(/^ACCESS (?:USER|SERVICE)#(\d+)$/.exec(target)?.[1]) === id;
      return users.map(({ user }) => read.filter(isOf(user.id)).length);
    };
    expect(await countReads({ users, description: 'They read' })).toEqual(users.map(() => 1));
    expect(await countReads({ description: 'They still read' })).toEqual(users.map(() => 1));
    // At first, before the part with the member, and in that part; as a user and as a service account where few are read.
    expect(Math.max(...(await countReads({ users: [] })))).toBeLessThanOrEqual(5);
  });

  test('is refused if another group has its name before it is complete', async () => {
    const one = { name: 'same', description: 'The one', rootRole: 2, mappingsSSO: ['all'], users };
    const first = await stuckAfter(service.table, 1, () => create(one));
    expect(first.isStuck).toBe(true);
    const other = { name: 'same', description: 'The other', users: [] };
    expect(await create(other)).toMatchObject({ status: 201, body: { userCount: 0 } });
    expect(await first.goOn()).toMatchObject({ status: 409 });
    const left = { name: 'same', description: 'The other', rootRole: null, mappingsSSO: [], userCount: 0 };
    expect(await groupsOf('same')).toMatchObject([left]);
  });
});

specify('updateGroup', {
  route: 'PUT /api/admin/groups/{id}',
  ...openTo('Admin', 'ADMIN'),
  request: async (world) => ({
    params: { id: await world.groupId({ users: [{ user: { id: (await world.user()).id } }] }) },
    body: await groupBody(world),
  }),
  required: ['name', 'users.0.user', 'users.0.user.id'],
  bodyBytesMax: 262_144,
  nullable: ['description', 'rootRole'],
  waits: 3,
  again: 'nothing',
});

test('An update replaces all members, keeps omitted properties, and removes those that are null', async ({
  service,
  world,
}) => {
  const [one, two] = [(await world.user()).id, (await world.user()).id];
  const users = [{ user: { id: one } }];
  const id = await world.groupId({ description: 'Payments', rootRole: 2, users });
  const update = async (body: object) => (await world.ask('PUT', `/api/admin/groups/${id}`, body)).body;
  const [{ joinedAt }] = (await service.get(`/api/admin/groups/${id}`)).body.users;
  expect(await update({ name: 'shop' })).toMatchObject({
    name: 'shop',
    description: 'Payments',
    rootRole: 2,
    userCount: 1,
  });
  const both = await update({
    name: 'shop',
    users: [...users, { user: { id: two } }],
    description: null,
    rootRole: null,
  });
  expect(both).toMatchObject({ description: null, rootRole: null, userCount: 2 });
  expect(both.users[0].joinedAt).toBe(joinedAt);
  expect((await update({ name: 'shop', users: [{ user: { id: two } }] })).users).toMatchObject([{ user: { id: two } }]);
  expect((await serviceEvents(service.table)).slice(-2)).toMatchObject([
    { type: 'group-updated', preData: { users: [one, two] }, data: { users: [two] } },
    { type: 'group-user-removed', preData: { groupId: id, userId: one } },
  ]);
});

test('Concurrent changes of members are all made', async ({ service, world }) => {
  const id = await world.groupId();
  const members: number[] = [];
  for (let count = 0; count < 4; count += 1) members.push((await world.user()).id);
  await Promise.all(
    members.map((member) =>
      world.ask('PUT', `/api/admin/groups/${id}`, { name: `of ${member}`, users: [{ user: { id: member } }] }),
    ),
  );
  const { users } = (await service.get(`/api/admin/groups/${id}`)).body;
  expect(users).toHaveLength(1);
  const last = users[0].user.id;
  const { groups } = (await service.get('/api/admin/user-admin/access')).body;
  expect(groups[0]).toMatchObject({ name: `of ${last}`, users: [{ user: { id: last } }] });
  // Those who were taken out lose what they had by it.
  const shown = await Promise.all(members.map((member) => world.groupsOf(member)));
  expect(shown.map((each, index) => [members[index], each])).toEqual(
    members.map((member) => [member, member === last ? [id] : []]),
  );
});

specify('deleteGroup', {
  route: 'DELETE /api/admin/groups/{id}',
  ...openTo('Admin', 'ADMIN'),
  request: async (world) => ({
    params: { id: await world.groupId({ users: [{ user: { id: (await world.user()).id } }] }) },
  }),
  waits: 3,
  again: 404,
});

test('A deleted group gives no rights, and its name is free', async ({ service, world }) => {
  const { id: user } = await world.user();
  const id = await world.groupId({ users: [{ user: { id: user } }] });
  expect(await world.groupsOf(user)).toEqual([id]);
  await world.ask('DELETE', `/api/admin/groups/${id}`);
  expect(await world.groupsOf(user)).toEqual([]);
  expect((await service.post('/api/admin/groups', { name: 'group-1' })).status).toBe(201);
});

test('A group with more roles and members than fit into a transaction is deleted, roles first', async ({
  service,
  world,
}) => {
  const members = await Promise.all(Array.from({ length: 45 }, () => world.user()));
  const id = await world.groupId({ users: members.map((user) => ({ user: { id: user.id } })) });
  await world.giveOwnRoles('groups', id, 50);
  const remove = () => service.call('DELETE', `/api/admin/groups/${id}`);
  expect((await cutOffAfter(service.table, 1, remove)).status).toBe(500);
  const [first] = (await serviceEvents(service.table)).slice(-1);
  expect(first).toMatchObject({ type: 'group-updated' });
  expect((await remove()).status).toBe(200);
  expect(await world.groupsOf(Number(members[44]?.id))).toEqual([]);
  expect(problemsOf(await contentOf(service.table))).toEqual([]);
});

specify('deleteScimGroups', {
  route: 'DELETE /api/admin/groups/scim-groups',
  unversioned: 'it deletes several things',
  ...openTo('Admin', 'ADMIN'),
  request: async (world) => {
    await manageGroup(world.service, await world.groupId({ users: [{ user: { id: (await world.user()).id } }] }));
    return { stages: 2 };
  },
  again: 'nothing',
  waits: 5,
});

test('Only the groups that a directory manages are deleted with it', async ({ service, world }) => {
  const [managed, own] = [await world.groupId(), await world.groupId()];
  await manageGroup(service, managed);
  expect((await service.call('DELETE', '/api/admin/groups/scim-groups')).status).toBe(200);
  const { body } = await service.get('/api/admin/groups');
  expect(body.groups.map(({ id }: { id: number }) => id)).toEqual([own]);
  expect((await serviceEvents(service.table)).at(-1)).toMatchObject({
    type: 'scim-groups-deleted',
    data: { count: 1 },
  });
});

specify('getGroup', {
  route: 'GET /api/admin/groups/{id}',
  ...openTo('Admin', 'ADMIN'),
  request: async (world) => {
    const { id } = await world.user();
    return { params: { id: await world.groupId({ description: 'Experts', rootRole: 2, users: [{ user: { id } }] }) } };
  },
  waits: 2,
});

specify('getGroups', {
  route: 'GET /api/admin/groups',
  ...openTo('Admin', 'ADMIN'),
  given: (world) => world.groupId(),
});

test('A group shows empty properties, too', async ({ service, world }) => {
  const id = await world.groupId();
  expect((await service.get('/api/admin/groups')).body.groups).toEqual([
    {
      ...{ id, name: 'group-1', description: null, mappingsSSO: [], rootRole: null, users: [], projects: [] },
      ...{ userCount: 0, scimId: null, createdBy: expect.any(String), createdAt: expect.any(String) },
    },
  ]);
});
