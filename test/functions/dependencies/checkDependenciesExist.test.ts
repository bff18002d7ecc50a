import { expect } from 'vitest';
import { paths } from '../../harness/features.ts';
import { specify, test } from '../../specifications/specify.ts';

specify('checkDependenciesExist', {
  route: 'GET /api/admin/projects/{projectId}/dependencies',
  may: 'any token',
  // Nobody has the list of a new project in memory.
  request: async (world) => ({ params: { projectId: await world.project() } }),
  differs: 'asks about the project, where Unleash asks about all',
});

test('A project has dependencies from the first one to the last one', async ({ service, world }) => {
  const exist = async () => (await service.get('/api/admin/projects/default/dependencies')).body;
  const parent = await world.feature();
  expect(await exist()).toBe(false);
  const child = await world.feature({ parents: [parent.name] });
  expect(await exist()).toBe(true);
  await service.call('DELETE', `${paths.feature(child.name)}/dependencies`);
  expect(await exist()).toBe(false);
});
