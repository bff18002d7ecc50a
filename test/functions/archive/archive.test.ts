import { describe, expect, test } from 'vitest';
import { paths, shopSeed } from '../../harness/features.ts';
import { ofFeatures } from '../../specifications/bodies.ts';
import { sharedWorld, specify } from '../../specifications/specify.ts';

specify('deleteFeatures', {
  route: 'POST /api/admin/projects/{projectId}/delete',
  unversioned: 'it is about many things',
  may: ['Admin', 'Editor', 'Owner', 'Member'],
  needs: ['DELETE_FEATURE'],
  request: (world) => ofFeatures(world, 1, { archived: true }),
  others: {
    '50 features': (world) => ofFeatures(world, 50, { archived: true, on: true }),
  },
  eachOf: 'archived',
  required: ['features'],
  waits: 3,
  differs: '404 for a feature that is not archived; 409 while features depend on one, where Unleash answers 403',
});

describe('Deleting features', () => {
  const { service, world } = sharedWorld(shopSeed);
  const remove = (features: readonly string[]) => service.post(paths.bulk('delete'), { features });
  const statusOf = async (name: string) => (await service.put(paths.feature(name))).status;

  test('deletes a parent together with all its children', async () => {
    const parent = (await world.feature()).name;
    const children = await world.featureNames(2, { parents: [parent] });
    for (const name of [parent, ...children]) await service.put(paths.feature(name), { archived: true });
    expect(await remove([parent, children[0] ?? ''])).toMatchObject({ status: 409, body: { name: 'InUseError' } });
    expect((await remove([parent, ...children])).status).toBe(200);
    for (const name of [parent, ...children]) expect(await statusOf(name)).toBe(404);
    expect((await world.ask('POST', '/api/admin/projects/default/features', { name: parent })).body.children).toEqual(
      [],
    );
  });
});

specify('reviveFeatures', {
  route: 'POST /api/admin/projects/{projectId}/revive',
  unversioned: 'it is about many things',
  may: ['Admin', 'Editor', 'Owner', 'Member'],
  needs: ['UPDATE_FEATURE'],
  request: (world) => ofFeatures(world, 1, { archived: true }),
  others: {
    '50 features': (world) => ofFeatures(world, 50, { archived: true }),
  },
  eachOf: 'all',
  required: ['features'],
  differs: '404 for an unknown feature',
});
