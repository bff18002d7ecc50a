import { expect, test } from 'vitest';
import { addFeatures, paths, shopSeed } from '../../harness/features.ts';
import { freshService } from '../../harness/service.ts';
import { specify } from '../../specifications/specify.ts';

specify('getProjectInsights', {
  route: 'GET /api/admin/projects/{projectId}/insights',
  may: 'any token',
  request: async (world) => ({ params: await world.projectWithFeature() }),
});

test('The insights say how a project stands and what happened in it', async () => {
  const service = await freshService(shopSeed);
  await addFeatures(service, ['one', 'two', 'archived'], { project: 'shop' });
  await service.put(paths.feature('one', 'shop'), { stale: true });
  await service.put(paths.feature('archived', 'shop'), { archived: true });
  const states = { activeCount: 1, staleCount: 1, potentiallyStaleCount: 0 };
  expect((await service.get('/api/admin/projects/shop/insights')).body).toMatchObject({
    stats: { createdCurrentWindow: 3, archivedCurrentWindow: 1 },
    leadTime: { projectAverage: 0, features: [] },
    featureTypeCounts: [{ type: 'release', count: 2 }],
    health: { rating: 50, ...states },
    technicalDebt: { rating: 50, ...states },
    members: { currentMembers: 0, change: 0 },
  });
});
