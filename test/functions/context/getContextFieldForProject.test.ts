import { expect } from 'vitest';
import { specify, test } from '../../specifications/specify.ts';

specify('getContextFieldForProject', {
  route: 'GET /api/admin/projects/{projectId}/context/{contextField}',
  may: 'any token',
  request: async (world) => ({ params: await world.projectContextField() }),
});

test('A project sees its own context fields and those of the whole service, but not those of other projects', async ({
  service,
  world,
}) => {
  const { projectId, contextField } = await world.projectContextField();
  const read = (path: string) => service.get(`/api/admin${path}`);
  expect((await read(`/projects/${projectId}/context/${contextField}`)).body).toMatchObject({ project: projectId });
  expect((await read(`/projects/${projectId}/context/userId`)).body).toMatchObject({ name: 'userId' });
  expect((await read(`/context/${contextField}`)).body).toMatchObject({ project: projectId });
  expect((await read(`/projects/default/context/${contextField}`)).status).toBe(404);
});
