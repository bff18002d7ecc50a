import { expect } from 'vitest';
import { specify, test } from '../../specifications/specify.ts';

specify('validateSegment', {
  route: 'POST /api/admin/segments/validate',
  may: ['Admin', 'Editor', 'Owner'],
  needs: ['CREATE_SEGMENT', 'UPDATE_SEGMENT', 'UPDATE_PROJECT_SEGMENT'],
  request: (world) => ({ body: { name: world.name('segment') } }),
  required: ['name'],
});

test('A name in use is a 409', async ({ service, world }) => {
  const { name } = await world.segment();
  expect(await service.post('/api/admin/segments/validate', { name })).toMatchObject({
    status: 409,
    body: { name: 'NameExistsError' },
  });
});
