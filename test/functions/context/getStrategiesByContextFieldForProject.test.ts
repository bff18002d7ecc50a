import { expect } from 'vitest';
import { specify, test } from '../../specifications/specify.ts';

specify('getStrategiesByContextFieldForProject', {
  route: 'GET /api/admin/projects/{projectId}/context/{contextField}/strategies',
  may: 'any token',
  request: async (world) => ({ params: { ...world.home, contextField: await world.comparedField() } }),
  takesAnyName: ['contextField'],
  // The projects, what their features compare, and the strategies of those that compare it.
  waits: 3,
});

test('The list is the same as that of the whole service: strategies of any project may compare the field', async ({
  service,
  world,
}) => {
  const name = await world.comparedField({ disabled: true });
  const [ofProject, ofAll] = await Promise.all([
    service.get(`/api/admin/projects/default/context/${name}/strategies`),
    service.get(`/api/admin/context/${name}/strategies`),
  ]);
  expect(ofProject.body.strategies).toHaveLength(1);
  expect(ofProject.body).toEqual(ofAll.body);
});
