import { expect } from 'vitest';
import { serviceEvents } from '../../harness/service-events.ts';
import { openTo, specify, test } from '../../specifications/specify.ts';
import { groupBody } from './group-body.ts';

specify('updateGroup', {
  route: 'PUT /api/admin/groups/{id}',
  ...openTo('Admin', 'ADMIN'),
  request: async (world) => ({
    params: { id: await world.groupId({ users: [{ user: { id: (await world.user()).id } }] }) },
    body: await groupBody(world),
  }),
  required: ['name', 'users.0.user', 'users.0.user.id'],
  nullable: ['description', 'rootRole'],
  waits: 3,
  again: 'nothing',
});

test('`users` replaces all members; what is left out stays, and null takes away', async ({ service, world }) => {
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

test('Changes of the members at the same moment are all made', async ({ service, world }) => {
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
