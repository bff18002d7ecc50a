import { expect } from 'vitest';
import { paths } from '../../harness/features.ts';
import { specify, test } from '../../specifications/specify.ts';

specify('validateArchiveFeatures', {
  route: 'POST /api/admin/projects/{projectId}/archive/validate',
  may: ['Admin', 'Editor', 'Owner', 'Member'],
  needs: ['DELETE_FEATURE'],
  request: async (world) => ({ params: world.home, body: { features: [(await world.feature()).name] } }),
  eachOf: 'all',
  required: ['features'],
});

test('The parents whose children would stay are named, and that dependencies would be removed', async ({
  service,
  world,
}) => {
  const [parent = '', other = ''] = await world.featureNames(2);
  const { name: child } = await world.feature({ parents: [parent] });
  const answers: [string[], object][] = [
    [[other], { parentsWithChildFeatures: [], hasDeletedDependencies: false }],
    [[other, parent], { parentsWithChildFeatures: [parent], hasDeletedDependencies: true }],
    [[other, child], { parentsWithChildFeatures: [], hasDeletedDependencies: true }],
    [[child, parent, child], { parentsWithChildFeatures: [], hasDeletedDependencies: true }],
    [[], { parentsWithChildFeatures: [], hasDeletedDependencies: false }],
  ];
  for (const [features, body] of answers) {
    expect(await service.post(paths.bulk('archive/validate'), { features })).toMatchObject({ status: 200, body });
  }
});
