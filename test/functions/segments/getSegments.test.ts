import { expect, test } from 'vitest';
import { freshService } from '../../harness/service.ts';
import { World } from '../../harness/world.ts';
import { specify } from '../../specifications/specify.ts';

specify('getSegments', {
  route: 'GET /api/admin/segments',
  may: 'any token',
  request: async (world) => {
    await world.segment();
    return {};
  },
});

test('Segments are listed by their ids, each with all that it says', async () => {
  const service = await freshService();
  const world = new World(service);
  const first = await world.segment({
    description: 'Swiss',
    constraints: [{ contextName: 'country', operator: 'IN', values: ['CH'] }],
  });
  const second = await world.segment();
  const { body } = await service.get('/api/admin/segments');
  expect(body.segments).toEqual([
    {
      ...first,
      description: 'Swiss',
      project: null,
      createdAt: expect.any(String),
      createdBy: expect.any(String),
      constraints: [{ contextName: 'country', operator: 'IN', values: ['CH'] }],
    },
    expect.objectContaining(second),
  ]);
});
