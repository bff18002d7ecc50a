import { specify } from '../../specifications/specify.ts';

specify('getGroup', {
  route: 'GET /api/admin/groups/{id}',
  may: ['Admin'],
  needs: ['ADMIN'],
  request: async (world) => {
    const { id } = await world.user();
    return { params: { id: await world.groupId({ description: 'Experts', rootRole: 2, users: [{ user: { id } }] }) } };
  },
  waits: 2,
});
