import { expect } from 'vitest';
import { paths } from '../../harness/features.ts';
import { specify, test } from '../../specifications/specify.ts';

specify('getProjectDora', {
  route: 'GET /api/admin/projects/{projectId}/dora',
  may: 'any token',
  request: async (world) => {
    const project = await world.project();
    await world.feature({ project, on: true });
    return { params: { projectId: project } };
  },
});

test('The first time that a release was on in production counts, whatever comes after', async ({ service, world }) => {
  const dora = async () => (await service.get('/api/admin/projects/default/dora')).body;
  const { name } = await world.feature();
  const { name: bulk } = await world.feature();
  const { name: other } = await world.feature();
  await service.post(`${paths.feature(other)}/environments/development/on`);
  expect(await dora()).toEqual({ features: [], projectAverage: 0 });
  const path = `${paths.feature(name)}/environments/production`;
  for (const change of ['on', 'off', 'on']) expect((await service.post(`${path}/${change}`)).status).toBe(200);
  await service.post('/api/admin/projects/default/bulk_features/environments/production/on', { features: [bulk] });
  await service.put(paths.feature(name), { description: 'new', archived: true });
  expect(await dora()).toEqual({
    features: [
      { name, timeToProduction: 0 },
      { name: bulk, timeToProduction: 0 },
    ],
    projectAverage: 0.1,
  });
});
