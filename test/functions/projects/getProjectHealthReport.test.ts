import { expect, test } from 'vitest';
import { addFeatures, paths, shopSeed } from '../../harness/features.ts';
import { freshService } from '../../harness/service.ts';
import { specify } from '../../specifications/specify.ts';

specify('getProjectHealthReport', {
  route: 'GET /api/admin/projects/{projectId}/health-report',
  may: 'any token',
  request: async (world) => ({ params: await world.projectWithFeature() }),
});

test('A report counts the live features that are stale, and those that are not', async () => {
  const service = await freshService(shopSeed);
  await addFeatures(service, ['one', 'two', 'three', 'archived'], { project: 'shop' });
  await service.put(paths.feature('one', 'shop'), { stale: true });
  await service.put(paths.feature('archived', 'shop'), { archived: true, stale: true });
  const { body } = await service.get('/api/admin/projects/shop/health-report');
  expect(body).toMatchObject({ activeCount: 2, staleCount: 1, potentiallyStaleCount: 0, health: 67 });
  expect(body.features.map(({ name }: { name: string }) => name)).toEqual(['one', 'three', 'two']);
});
