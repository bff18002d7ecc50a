import { expect, test } from 'vitest';
import { addFeatures, paths, shopSeed } from '../../harness/features.ts';
import { freshService } from '../../harness/service.ts';
import { specify } from '../../specifications/specify.ts';

specify('getDeprecatedProjectOverview', {
  route: 'GET /api/admin/projects/{projectId}',
  may: 'any token',
  request: async (world) => ({ params: await world.projectWithFeature() }),
});

test('A project is its overview with its live features', async () => {
  const service = await freshService(shopSeed);
  await addFeatures(service, ['one', 'two', 'archived'], { project: 'shop' });
  await service.put(paths.feature('archived', 'shop'), { archived: true });
  const { body } = await service.get('/api/admin/projects/shop');
  const { features } = (await service.get('/api/admin/projects/shop/features')).body;
  expect(features).toHaveLength(2);
  const overview = (await service.get('/api/admin/projects/shop/overview')).body;
  const { linkTemplates: _, archivedAt: _a, featureTypeCounts: _f, onboardingStatus: _o, ...shown } = overview;
  expect(body).toEqual({ ...shown, features });
});
