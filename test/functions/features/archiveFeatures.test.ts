import { describe, expect, test } from 'vitest';
import { eventTypesOf, paths, readFeature, shopSeed } from '../../harness/features.ts';
import { ofFeatures } from '../../specifications/bodies.ts';
import { openTo, sharedWorld, specify } from '../../specifications/specify.ts';

specify('archiveFeatures', {
  route: 'POST /api/admin/projects/{projectId}/archive',
  unversioned: 'it is about many things',
  ...openTo('Member', 'DELETE_FEATURE'),
  request: (world) => ofFeatures(world, 1, { on: true }),
  others: {
    '50 features': (world) => ofFeatures(world, 50, {}),
    // Whose children are asked for once it is known that there are some.
    'a parent and its child': async (world) => {
      const parent = (await world.feature()).name;
      const child = (await world.feature({ parents: [parent] })).name;
      return { params: world.home, body: { features: [parent, child] }, size: 2, waits: 3 };
    },
  },
  eachOf: 'all',
  required: ['features'],
  differs: '404 for an unknown feature; 409 while features depend on one, where Unleash answers 403',
});

describe('Archiving features', () => {
  const { service, world } = sharedWorld(shopSeed);
  const archive = (features: readonly string[]) => service.post(paths.bulk('archive'), { features });
  const isArchived = async (name: string) => (await readFeature(service, name)).archived;

  test('archives a parent together with all its children', async () => {
    const parent = (await world.feature()).name;
    const children = await world.featureNames(3, { parents: [parent] });
    expect(await archive([parent, ...children.slice(1)])).toMatchObject({ status: 409, body: { name: 'InUseError' } });
    for (const name of [parent, ...children]) expect(await isArchived(name)).toBe(false);
    expect((await archive([parent, ...children])).status).toBe(202);
    for (const name of [parent, ...children]) expect(await isArchived(name)).toBe(true);
    expect(await readFeature(service, parent)).toMatchObject({ children: [], dependencies: [] });
  });

  test('archives a parent after its many children', async () => {
    const parent = (await world.feature()).name;
    const children = await world.featureNames(60, { parents: [parent] });
    expect((await archive([parent, ...children])).status).toBe(202);
    expect(await readFeature(service, parent)).toMatchObject({ archived: true, children: [] });
    expect(await eventTypesOf(service, children[59] ?? '')).toEqual([
      'feature-created',
      'feature-dependency-added',
      'feature-dependencies-removed',
      'feature-archived',
    ]);
  });
});
