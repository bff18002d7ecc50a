import { expect, test } from 'vitest';
import { freshService } from '../../harness/service.ts';
import { World } from '../../harness/world.ts';
import { specify } from '../../specifications/specify.ts';

specify('validateSegment', {
  route: 'POST /api/admin/segments/validate',
  may: ['Admin', 'Editor', 'Owner'],
  needs: ['CREATE_SEGMENT', 'UPDATE_SEGMENT', 'UPDATE_PROJECT_SEGMENT'],
  request: (world) => ({ body: { name: world.name('segment') } }),
  required: ['name'],
});

test('A name in use is a 409', async () => {
  const service = await freshService();
  const { name } = await new World(service).segment();
  expect(await service.post('/api/admin/segments/validate', { name })).toMatchObject({
    status: 409,
    body: { name: 'NameExistsError' },
  });
});
