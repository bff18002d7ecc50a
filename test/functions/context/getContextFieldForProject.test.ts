import { expect, test } from 'vitest';
import { freshService } from '../../harness/service.ts';
import { World } from '../../harness/world.ts';
import { specify } from '../../specifications/specify.ts';

specify('getContextFieldForProject', {
  route: 'GET /api/admin/projects/{projectId}/context/{contextField}',
  may: 'any token',
  request: async (world) => ({ params: await world.projectContextField() }),
});

test('A project sees its own context fields and those of the whole service, but not those of other projects', async () => {
  const service = await freshService();
  const { projectId, contextField } = await new World(service).projectContextField();
  const read = (path: string) => service.get(`/api/admin${path}`);
  expect((await read(`/projects/${projectId}/context/${contextField}`)).body).toMatchObject({ project: projectId });
  expect((await read(`/projects/${projectId}/context/userId`)).body).toMatchObject({ name: 'userId' });
  expect((await read(`/context/${contextField}`)).body).toMatchObject({ project: projectId });
  expect((await read(`/projects/default/context/${contextField}`)).status).toBe(404);
});
