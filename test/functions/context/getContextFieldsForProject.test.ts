import { expect } from 'vitest';
import { specify, test } from '../../specifications/specify.ts';

specify('getContextFieldsForProject', {
  route: 'GET /api/admin/projects/{projectId}/context',
  may: 'any token',
  request: async (world) => ({ params: await world.projectContextField(), query: { include: 'root' } }),
  // The projects are asked for first, and then for what their features use.
  waits: 2,
});

test('The context fields of a project are listed, with those of the whole service when asked for', async ({
  service,
  world,
}) => {
  const { projectId, contextField } = await world.projectContextField();
  const listed = async (query: string) => (await service.get(`/api/admin/projects/${projectId}/context${query}`)).body;
  const own = [expect.objectContaining({ name: contextField, project: projectId, usedInFeatures: 0 })];
  expect(await listed('')).toEqual(own);
  const root = (await service.get('/api/admin/context')).body;
  expect(await listed('?include=root')).toEqual(expect.arrayContaining([...own, ...root]));
});
