import { expect, test } from 'vitest';
import { freshService } from '../../harness/service.ts';
import { serviceEvents } from '../../harness/service-events.ts';
import { World } from '../../harness/world.ts';
import { specify } from '../../specifications/specify.ts';

specify('deleteRole', {
  route: 'DELETE /api/admin/roles/{id}',
  may: ['Admin'],
  needs: ['ADMIN'],
  request: async (world) => ({ params: { id: await world.role() } }),
  again: 404,
});

test('A role stays while a user has it, or a group, and the refusal says who and where', async () => {
  const service = await freshService();
  const world = new World(service);
  const [inProject, everywhere] = [await world.role(), await world.role({ name: 'Auditor', type: 'root-custom' })];
  const { id: user, username } = await world.user();
  await world.ask('PUT', `/api/admin/projects/default/users/${user}/roles`, { roles: [inProject] });
  const group = await world.groupId({ name: 'readers', rootRole: everywhere });
  const remove = (id: number) => service.call('DELETE', `/api/admin/roles/${id}`);
  expect(await remove(inProject)).toMatchObject({
    status: 409,
    body: { name: 'InUseError', message: expect.stringContaining(`: the user "${username}" in default.`) },
  });
  expect(await remove(everywhere)).toMatchObject({
    status: 409,
    body: { message: 'The role "Auditor" is in use: the group "readers".' },
  });
  await world.ask('PUT', `/api/admin/groups/${group}`, { name: 'writers', rootRole: everywhere, users: [] });
  expect((await remove(everywhere)).body.message).toContain('"writers"');
  await world.ask('DELETE', `/api/admin/groups/${group}`);
  expect((await remove(everywhere)).status).toBe(200);
  expect((await serviceEvents(service.table)).at(-1)).toMatchObject({
    type: 'role-deleted',
    preData: { id: everywhere, type: 'root-custom' },
  });
});

test('Of a deletion and somebody who is given the role at the same moment, one is refused', async () => {
  const service = await freshService();
  const world = new World(service);
  for (let round = 0; round < 5; round += 1) {
    const role = await world.role({ type: 'root-custom' });
    const [deleted, given] = await Promise.all([
      service.call('DELETE', `/api/admin/roles/${role}`),
      service.post('/api/admin/groups', { name: world.name('group'), rootRole: role }),
    ]);
    expect([deleted.status, given.status === 201 ? 201 : 'refused']).toEqual(
      deleted.status === 200 ? [200, 'refused'] : [409, 201],
    );
    expect((await service.get(`/api/admin/roles/${role}`)).status).toBe(deleted.status === 200 ? 404 : 200);
  }
});
