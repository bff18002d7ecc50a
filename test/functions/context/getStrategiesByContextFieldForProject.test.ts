import { expect, test } from 'vitest';
import { freshService } from '../../harness/service.ts';
import { World } from '../../harness/world.ts';
import { specify } from '../../specifications/specify.ts';

specify('getStrategiesByContextFieldForProject', {
  route: 'GET /api/admin/projects/{projectId}/context/{contextField}/strategies',
  may: 'any token',
  request: async (world) => ({ params: { ...world.home, contextField: await world.comparedField() } }),
  takesAnyName: ['contextField'],
  // The projects, what their features compare, and the strategies of those that compare it.
  waits: 3,
});

test('The list is the same as that of the whole service: strategies of any project may compare the field', async () => {
  const service = await freshService();
  const name = await new World(service).comparedField({ disabled: true });
  const [ofProject, ofAll] = await Promise.all([
    service.get(`/api/admin/projects/default/context/${name}/strategies`),
    service.get(`/api/admin/context/${name}/strategies`),
  ]);
  expect(ofProject.body.strategies).toHaveLength(1);
  expect(ofProject.body).toEqual(ofAll.body);
});
