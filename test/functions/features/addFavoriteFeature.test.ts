import { describe, expect, test } from 'vitest';
import * as partitions from '../../../lib/store/partitions.ts';
import { queryAll } from '../../../lib/store/read.ts';
import { eventsAddedBy, paths } from '../../harness/features.ts';
import { sharedWorld, specify } from '../../specifications/specify.ts';

specify('addFavoriteFeature', {
  route: 'POST /api/admin/projects/{projectId}/features/{featureName}/favorites',
  unversioned: 'it changes what the caller sees, and nothing else',
  may: 'any token',
  request: async (world) => ({ params: (await world.feature()).place }),
});

describe('A favorite', () => {
  const { service, world } = sharedWorld();
  const as = async () => ({ headers: { authorization: await world.token() } });
  const add = (name: string, user: object = {}) => service.call('POST', `${paths.feature(name)}/favorites`, user);
  const isFavorite = async (name: string, user: object = {}) =>
    (await service.call('GET', paths.feature(name), user)).body.favorite;

  test('is one of the user who made it one, and of no other', async () => {
    const { name } = await world.feature();
    const [alice, bob] = [await as(), await as()];
    expect(await add(name, alice)).toMatchObject({ status: 200, text: '' });
    expect([await isFavorite(name, alice), await isFavorite(name, bob), await isFavorite(name)]).toEqual([
      true,
      false,
      false,
    ]);
  });

  test('shows in the archive', async () => {
    const project = await world.project();
    const features = await world.features(2, { project });
    const [alice, bob] = [await as(), await as()];
    await service.call('POST', `${paths.feature(features[0]?.name ?? '', project)}/favorites`, alice);
    for (const { name } of features) await service.call('DELETE', paths.feature(name, project));
    for (const path of [`/api/admin/archive/features/${project}`, '/api/admin/archive/features']) {
      for (const [user, count] of [[alice, 1] as const, [bob, 0] as const]) {
        const { body } = await service.call('GET', path, user);
        expect(body.features.filter(({ favorite }: { favorite: boolean }) => favorite)).toHaveLength(count);
      }
    }
  });

  test('makes one event, however often it is made one', async () => {
    const { name } = await world.feature();
    const events = await eventsAddedBy(service, name, async () => {
      await add(name);
      await add(name);
      await Promise.all([add(name), add(name)]);
    });
    expect(events).toMatchObject([{ type: 'feature-favorited', project: 'default', data: { feature: name } }]);
  });

  test('is nothing to the lists of the project: SDKs get no other revision', async () => {
    const { name } = await world.feature();
    const marks = () => queryAll(service.table, partitions.marks('default'));
    const before = await marks();
    await add(name);
    expect(await marks()).toEqual(before);
    await service.put(paths.feature(name), { description: 'Another one' });
    expect(await marks()).not.toEqual(before);
  });
});
