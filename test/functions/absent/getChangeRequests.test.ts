import { expect } from 'vitest';
import { specify, test } from '../../specifications/specify.ts';

specify('getChangeRequests', {
  route: 'GET /api/admin/projects/{projectId}/change-requests/{which}',
  may: 'any token',
  request: async (world) => ({ params: { projectId: await world.project(), which: 'pending' } }),
});

test('No change request waits for anybody, and none can be looked at', async ({ service }) => {
  const get = (which: string) => service.get(`/api/admin/projects/default/change-requests/${which}`);
  expect(await get('scheduled?feature=flag')).toMatchObject({ status: 200, body: [] });
  expect(await get('actionable')).toMatchObject({ status: 200, body: { total: 0 } });
  expect((await get('7')).status).toBe(404);
});
