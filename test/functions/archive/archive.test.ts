import { describe, expect, test } from 'vitest';
import { paths, shopSeed } from '../../harness/features.ts';
import { betweenReadAndWrite, recordStoreRequests } from '../../harness/store-requests.ts';
import { ofFeatures } from '../../specifications/bodies.ts';
import { openTo, sharedWorld, specify } from '../../specifications/specify.ts';

specify('deleteFeatures', {
  route: 'POST /api/admin/projects/{projectId}/delete',
  unversioned: 'it is about many things',
  ...openTo('Member', 'DELETE_FEATURE'),
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

  test('deletes large ones step by step, all at once, while another caller does so', async () => {
    const environments: string[] = [];
    while (environments.length < 46) environments.push(await world.environment());
    const project = await world.project({ environments });
    const names = await world.featureNames(4, { project, environment: environments[0] ?? '' });
    const variants = [{ name: 'blue', weight: 1000 }];
    for (const name of names) {
      await world.ask('PUT', `${paths.feature(name, project)}/variants-batch`, { environments, variants });
      await world.ask('DELETE', paths.feature(name, project));
    }
    const another = () => service.call('DELETE', paths.deleted(names[0] ?? ''));
    const requests = await betweenReadAndWrite(service.table, another, () =>
      recordStoreRequests(service.table, async () => {
        expect((await service.post(paths.bulk('delete', project), { features: names })).status).toBe(200);
      }),
    );
    for (const name of names) expect(await statusOf(name)).toBe(404);
    const reads = requests.filter(({ command, targets }) => command === 'Query' && `${targets}`.startsWith('FEATURE#'));
    expect(reads.length).toBeLessThan(names.length * 30);
  });
});

specify('reviveFeatures', {
  route: 'POST /api/admin/projects/{projectId}/revive',
  unversioned: 'it is about many things',
  ...openTo('Member', 'UPDATE_FEATURE'),
  request: (world) => ofFeatures(world, 1, { archived: true }),
  others: {
    '50 features': (world) => ofFeatures(world, 50, { archived: true }),
  },
  eachOf: 'all',
  required: ['features'],
  differs: '404 for an unknown feature',
});
