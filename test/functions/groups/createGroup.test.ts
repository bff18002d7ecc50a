import { expect } from 'vitest';
import { readSeed } from '../../../lib/imports/seed/seed-data.ts';
import { seedStore } from '../../../lib/imports/seed/seed-store.ts';
import { cutOffAfter } from '../../harness/imports.ts';
import { freshService } from '../../harness/service.ts';
import { serviceEvents } from '../../harness/service-events.ts';
import { stuckAfter } from '../../harness/stuck.ts';
import { specify, test } from '../../specifications/specify.ts';
import { groupBody } from './group-body.ts';

specify('createGroup', {
  route: 'POST /api/admin/groups',
  may: ['Admin'],
  needs: ['ADMIN'],
  request: async (world) => ({
    body: await groupBody(world),
  }),
  required: ['name', 'users.0.user', 'users.0.user.id'],
  nullable: ['description', 'rootRole'],
  waits: 2,
  again: 409,
});

test('Each member has an event of their own, and the root role of the group', async ({ service, world }) => {
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

test('Users that do not exist, and what is no root role, are refused', async ({ service }) => {
  const create = (more: object) => service.post('/api/admin/groups', { name: 'editors', ...more });
  expect(await create({ users: [{ user: { id: 1 } }, { user: { id: 998 } }, { user: { id: 999 } }] })).toMatchObject({
    status: 400,
    body: { details: [{ message: expect.stringContaining('998') }, { message: expect.stringContaining('999') }] },
  });
  for (const rootRole of [4, 77]) expect((await create({ rootRole })).status).toBe(400);
  expect((await service.get('/api/admin/groups')).body.groups).toEqual([]);
});

/** A service with so many users, and these as members. */
async function withMembers(amount: number) {
  const service = await freshService();
  const people = Array.from({ length: amount }, (_, index) => ({ username: `user-${index}` }));
  await seedStore(service.table, readSeed({ users: people }));
  const listed = (await service.get('/api/admin/user-admin')).body.users as { id: number; username: string }[];
  const users = listed.filter(({ username }) => username !== 'admin').map(({ id }) => ({ user: { id } }));
  return { service, users };
}

test('A group may have more members than one transaction takes', async () => {
  const { service, users } = await withMembers(90);
  const { status, body } = await service.post('/api/admin/groups', { name: 'everybody', users });
  expect([status, body.userCount]).toEqual([201, 90]);
  const halved = await service.call('PUT', `/api/admin/groups/${body.id}`, {
    body: { name: 'everybody', users: users.slice(85) },
  });
  expect(halved.body.userCount).toBe(5);
  const events = (await serviceEvents(service.table)).map(({ type }) => type);
  expect(events.filter((type) => type === 'group-user-added')).toHaveLength(90);
  expect(events.filter((type) => type === 'group-user-removed')).toHaveLength(85);
});

test.each([
  ['without a key', {}],
  ['with one', { 'idempotency-key': 'everybody' }],
])(
  'A creation that was cut off between any two of its steps is completed by the same request, %s',
  async (_how, headers) => {
    for (let cut = 0, isCutOff = true; isCutOff; cut += 1) {
      const { service, users } = await withMembers(90);
      const create = () => service.post('/api/admin/groups', { name: 'everybody', users }, { headers });
      isCutOff = (await cutOffAfter(service.table, cut, create)).status === 500;
      if (!isCutOff) break;
      expect(await create(), `cut ${cut}`).toMatchObject({ status: 201, body: { userCount: 90 } });
      const { groups } = (await service.get('/api/admin/groups')).body;
      expect(groups).toMatchObject([{ name: 'everybody', userCount: 90 }]);
      const events = (await serviceEvents(service.table)).map(({ type }) => type);
      expect(events.filter((type) => type === 'group-user-added')).toHaveLength(90);
      expect((await service.post('/api/admin/groups', { name: 'everybody', users: users.slice(5) })).status).toBe(409);
    }
  },
);

test('Of two creations under one name, one is refused, though neither is complete when the other begins', async () => {
  const { service, users } = await withMembers(50);
  const one = { name: 'same', description: 'The one', rootRole: 2, mappingsSSO: ['all'], users };
  const first = await stuckAfter(service.table, 1, () => service.post('/api/admin/groups', one));
  expect(first.isStuck).toBe(true);
  const other = { name: 'same', description: 'The other' };
  expect(await service.post('/api/admin/groups', other)).toMatchObject({ status: 201, body: { userCount: 0 } });
  expect(await first.goOn()).toMatchObject({ status: 409 });
  const { groups } = (await service.get('/api/admin/groups')).body;
  expect(groups).toMatchObject([{ ...other, rootRole: null, mappingsSSO: [], userCount: 0 }]);
});
