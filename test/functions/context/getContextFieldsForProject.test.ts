import { expect, test } from 'vitest';
import { freshService } from '../../harness/service.ts';
import { specify } from '../../specifications/specify.ts';

specify('getContextFieldsForProject', {
  route: 'GET /api/admin/projects/{projectId}/context',
  may: 'any token',
  request: async (world) => ({ params: { projectId: await world.project() }, query: { include: 'root' } }),
});

test('A project has no context fields of its own, and those of all projects are included when asked for', async () => {
  const service = await freshService();
  const listed = async (query: string) => (await service.get(`/api/admin/projects/default/context${query}`)).body;
  expect(await listed('')).toEqual([]);
  expect(await listed('?include=root')).toEqual((await service.get('/api/admin/context')).body);
});
