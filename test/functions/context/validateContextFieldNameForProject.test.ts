import { expect, test } from 'vitest';
import { freshService } from '../../harness/service.ts';
import { World } from '../../harness/world.ts';
import { specify } from '../../specifications/specify.ts';

specify('validateContextFieldNameForProject', {
  route: 'POST /api/admin/projects/{projectId}/context/validate',
  may: ['Admin', 'Editor', 'Owner'],
  needs: ['CREATE_CONTEXT_FIELD', 'UPDATE_CONTEXT_FIELD', 'UPDATE_PROJECT_CONTEXT'],
  request: async (world) => ({ params: { projectId: await world.project() }, body: { name: world.name('field') } }),
  required: ['name'],
});

test('A name in use anywhere is a 409, and a free one is fine', async () => {
  const service = await freshService();
  const { contextField } = await new World(service).projectContextField();
  const validate = async (name: string) =>
    (await service.post('/api/admin/projects/default/context/validate', { name })).status;
  expect(await Promise.all([contextField, 'userId', 'country'].map(validate))).toEqual([409, 409, 200]);
});
