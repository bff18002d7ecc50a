import { expect } from 'vitest';
import { specify, test } from '../../specifications/specify.ts';

specify('validateContextFieldNameForProject', {
  route: 'POST /api/admin/projects/{projectId}/context/validate',
  may: ['Admin', 'Editor', 'Owner'],
  needs: ['CREATE_CONTEXT_FIELD', 'UPDATE_CONTEXT_FIELD', 'UPDATE_PROJECT_CONTEXT'],
  request: async (world) => ({ params: { projectId: await world.project() }, body: { name: world.name('field') } }),
  required: ['name'],
});

test('A name in use anywhere is a 409, and a free one is fine', async ({ service, world }) => {
  const { contextField } = await world.projectContextField();
  const validate = async (name: string) =>
    (await service.post('/api/admin/projects/default/context/validate', { name })).status;
  expect(await Promise.all([contextField, 'userId', 'country'].map(validate))).toEqual([409, 409, 200]);
});
