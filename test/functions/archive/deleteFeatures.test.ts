import { describe, expect, test } from 'vitest';
import { paths, shopSeed } from '../../harness/features.ts';
import { sharedWorld, specify } from '../../specifications/specify.ts';

specify('deleteFeatures', {
  route: 'POST /api/admin/projects/{projectId}/delete',
  unversioned: 'it is about many things',
  may: ['Admin', 'Editor', 'Owner', 'Member'],
  needs: ['DELETE_FEATURE'],
  request: async (world) => ({
    params: world.home,
    body: { features: [(await world.feature({ archived: true })).name] },
  }),
  others: {
    '50 features': async (world) => {
      const features = await world.features(50, { archived: true, on: true });
      return { params: world.home, body: { features: features.map(({ name }) => name) }, size: 50 };
    },
  },
  eachOf: 'archived',
  required: ['features'],
  waits: 3,
  differs: '404 for a feature that is not archived; 409 while features depend on one, where Unleash answers 403',
});

describe('Deleting features', () => {
  const { service, world } = sharedWorld(shopSeed);
  const remove = (features: readonly string[]) => service.post(paths.bulk('delete'), { features });
  const namesOf = (features: readonly { readonly name: string }[]) => features.map(({ name }) => name);
  const statusOf = async (name: string) => (await service.put(paths.feature(name))).status;

  test('deletes a parent together with all its children', async () => {
    const parent = (await world.feature()).name;
    const children = namesOf(await world.features(2, { parents: [parent] }));
    for (const name of [parent, ...children]) await service.put(paths.feature(name), { archived: true });
    expect(await remove([parent, children[0] ?? ''])).toMatchObject({ status: 409, body: { name: 'InUseError' } });
    expect((await remove([parent, ...children])).status).toBe(200);
    for (const name of [parent, ...children]) expect(await statusOf(name)).toBe(404);
    expect((await world.ask('POST', '/api/admin/projects/default/features', { name: parent })).body.children).toEqual(
      [],
    );
  });
});
