import { expect } from 'vitest';
import { freshService } from '../../harness/service.ts';
import { serviceEvents } from '../../harness/service-events.ts';
import { stuckAfter } from '../../harness/stuck.ts';
import { World } from '../../harness/world.ts';
import { openTo, specify, test } from '../../specifications/specify.ts';

specify('deleteRole', {
  route: 'DELETE /api/admin/roles/{id}',
  ...openTo('Admin', 'ADMIN'),
  request: async (world) => ({ params: { id: await world.role() } }),
  again: 404,
});

test('A role stays while a user has it, or a group, and the refusal says who and where', async ({ service, world }) => {
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

test.each(['deletion', 'change'])(
  'Of a deletion and somebody who is given the role at the same moment, one is refused: the %s, which comes last',
  async (last) => {
    const service = await freshService();
    const role = await new World(service).role({ type: 'root-custom' });
    const remove = () => service.call('DELETE', `/api/admin/roles/${role}`);
    const give = () => service.post('/api/admin/groups', { name: 'given', rootRole: role });
    const [first, second] = last === 'deletion' ? [give, remove] : [remove, give];
    const stuck = await stuckAfter(service.table, 0, second);
    expect([stuck.isStuck, (await first()).status]).toEqual([true, last === 'deletion' ? 201 : 200]);
    expect((await stuck.goOn()).status).toBeOneOf(last === 'deletion' ? [409] : [400, 404]);
    expect((await service.get(`/api/admin/roles/${role}`)).status).toBe(last === 'deletion' ? 200 : 404);
  },
);
