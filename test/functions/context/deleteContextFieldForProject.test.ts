import { expect, test } from 'vitest';
import { freshService } from '../../harness/service.ts';
import { World } from '../../harness/world.ts';
import { specify } from '../../specifications/specify.ts';

specify('deleteContextFieldForProject', {
  route: 'DELETE /api/admin/projects/{projectId}/context/{contextField}',
  may: ['Admin', 'Editor', 'Owner'],
  needs: ['DELETE_CONTEXT_FIELD', 'UPDATE_PROJECT_CONTEXT'],
  request: async (world) => ({ params: await world.projectContextField() }),
  again: 404,
  // The projects are asked for first, and then for what the strategies of their features compare.
  waits: 3,
  differs: '404 for a context field that is not of the project, which Unleash deletes',
});

test('A project deletes its own context fields, and no others', async () => {
  const service = await freshService();
  const { projectId, contextField } = await new World(service).projectContextField();
  const remove = async (name: string) =>
    (await service.call('DELETE', `/api/admin/projects/${projectId}/context/${name}`)).status;
  expect(await remove('userId')).toBe(404);
  expect(await remove(contextField)).toBe(200);
  expect((await service.get(`/api/admin/context/${contextField}`)).status).toBe(404);
});
