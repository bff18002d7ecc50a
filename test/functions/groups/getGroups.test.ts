import { expect } from 'vitest';
import { specify, test } from '../../specifications/specify.ts';

specify('getGroups', {
  route: 'GET /api/admin/groups',
  may: ['Admin'],
  needs: ['ADMIN'],
  request: async (world) => {
    await world.groupId();
    return {};
  },
});

test('A group has all its properties, also those that are empty', async ({ service, world }) => {
  const id = await world.groupId();
  expect((await service.get('/api/admin/groups')).body.groups).toEqual([
    {
      ...{ id, name: 'group-1', description: null, mappingsSSO: [], rootRole: null, users: [], projects: [] },
      ...{ userCount: 0, scimId: null, createdBy: expect.any(String), createdAt: expect.any(String) },
    },
  ]);
});
