import { expect } from 'vitest';
import { specify, test } from '../../specifications/specify.ts';

specify('validateContextFieldName', {
  route: 'POST /api/admin/context/validate',
  may: ['Admin', 'Editor'],
  needs: ['CREATE_CONTEXT_FIELD', 'UPDATE_CONTEXT_FIELD'],
  request: (world) => ({ body: { name: world.name('field') } }),
  required: ['name'],
});

test('A name in use is a 409, what is no name a 400, and a free one is fine', async ({ service }) => {
  const validate = async (name: string) => (await service.post('/api/admin/context/validate', { name })).status;
  expect(await Promise.all(['userId', 'a b', 'country'].map(validate))).toEqual([409, 400, 200]);
});
