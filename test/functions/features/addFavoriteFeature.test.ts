import { beforeAll, describe, expect, test } from 'vitest';
import { partitions } from '../../../lib/table/keys.ts';
import { queryAll } from '../../../lib/table/read.ts';
import { eventsAddedBy, paths } from '../../harness/features.ts';
import { freshService, type Service } from '../../harness/service.ts';
import { World } from '../../harness/world.ts';
import { specify } from '../../specifications/specify.ts';

specify('addFavoriteFeature', {
  route: 'POST /api/admin/projects/{projectId}/features/{featureName}/favorites',
  may: 'any token',
  request: async (world) => ({ params: (await world.feature()).place }),
});

describe('A favorite', () => {
  let service: Service;
  let world: World;
  beforeAll(async () => {
    service = await freshService();
    world = new World(service);
  });
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

  test('cannot be an archived feature', async () => {
    const { name } = await world.feature({ archived: true });
    expect(await add(name)).toMatchObject({ status: 404 });
  });
});
