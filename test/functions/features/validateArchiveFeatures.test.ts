import { beforeAll, describe, expect, test } from 'vitest';
import { paths } from '../../harness/features.ts';
import { sharedWorld, specify } from '../../specifications/specify.ts';

specify('validateArchiveFeatures', {
  route: 'POST /api/admin/projects/{projectId}/archive/validate',
  may: ['Admin', 'Editor', 'Owner', 'Member'],
  needs: ['DELETE_FEATURE'],
  request: async (world) => ({ params: world.home, body: { features: [(await world.feature()).name] } }),
  eachOf: 'all',
  required: ['features'],
});

describe('Whether features can be archived', () => {
  let parent = '';
  let child = '';
  let other = '';
  const { service, world } = sharedWorld();
  beforeAll(async () => {
    [parent, other] = (await world.featureNames(2)) as [string, string];
    child = (await world.feature({ parents: [parent] })).name;
  });
  const check = (features: readonly string[]) => service.post(paths.bulk('archive/validate'), { features });

  test('names the parents whose children would stay, and says whether dependencies would be removed', async () => {
    const answers: [string[], object][] = [
      [[other], { parentsWithChildFeatures: [], hasDeletedDependencies: false }],
      [[other, parent], { parentsWithChildFeatures: [parent], hasDeletedDependencies: true }],
      [[other, child], { parentsWithChildFeatures: [], hasDeletedDependencies: true }],
      [[child, parent, child], { parentsWithChildFeatures: [], hasDeletedDependencies: true }],
      [[], { parentsWithChildFeatures: [], hasDeletedDependencies: false }],
    ];
    for (const [features, body] of answers) expect(await check(features)).toMatchObject({ status: 200, body });
  });
});
