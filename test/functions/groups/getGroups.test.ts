import { expect, test } from 'vitest';
import { freshService } from '../../harness/service.ts';
import { World } from '../../harness/world.ts';
import { specify } from '../../specifications/specify.ts';

specify('getGroups', {
  route: 'GET /api/admin/groups',
  may: ['Admin'],
  needs: ['ADMIN'],
  request: async (world) => {
    await world.groupId();
    return {};
  },
});

test('A group has all its properties, also those that are empty', async () => {
  const service = await freshService();
  const id = await new World(service).groupId();
  expect((await service.get('/api/admin/groups')).body.groups).toEqual([
    {
      ...{ id, name: 'group-1', description: null, mappingsSSO: [], rootRole: null, users: [], projects: [] },
      ...{ userCount: 0, scimId: null, createdBy: expect.any(String), createdAt: expect.any(String) },
    },
  ]);
});
