import { describe, expect, test } from 'vitest';
import { eventsAddedBy, paths, problemPaths } from '../../harness/features.ts';
import { openTo, sharedWorld, specify } from '../../specifications/specify.ts';

specify('setStrategySortOrder', {
  route:
    'POST /api/admin/projects/{projectId}/features/{featureName}/environments/{environment}/strategies/set-sort-order',
  ...openTo('Member', 'UPDATE_FEATURE_STRATEGY'),
  request: async (world) => {
    const feature = await world.feature();
    return { params: feature.place, body: [{ id: await world.strategy(feature), sortOrder: 9 }] };
  },
  others: {
    'two strategies': async (world) => {
      const feature = await world.feature();
      const [first, second] = [await world.strategy(feature), await world.strategy(feature)];
      return {
        params: feature.place,
        body: [
          { id: first, sortOrder: 9 },
          { id: second, sortOrder: 8 },
        ],
      };
    },
  },
  required: ['0.id', '0.sortOrder'],
});

describe('Putting strategies in another order', () => {
  const { service, world } = sharedWorld();

  async function made() {
    const feature = await world.feature();
    const ids = [await world.strategy(feature), await world.strategy(feature), await world.strategy(feature)] as const;
    const order = (body: object) => service.post(`${paths.strategies(feature.name)}/set-sort-order`, body);
    const read = async (): Promise<{ id: string; sortOrder: number }[]> =>
      (await service.get(paths.strategies(feature.name))).body;
    return { name: feature.name, ids, order, read };
  }

  test('moves those that are named, with one event', async () => {
    const { name, ids, order, read } = await made();
    const [a, b, c] = ids;
    const events = await eventsAddedBy(service, name, () =>
      order([
        { id: a, sortOrder: 2 },
        { id: c, sortOrder: -1 },
      ]),
    );
    expect((await read()).map(({ id, sortOrder }) => [id, sortOrder])).toEqual([
      [c, -1],
      [b, 1],
      [a, 2],
    ]);
    expect(events).toMatchObject([
      {
        type: 'strategy-order-changed',
        environment: 'development',
        preData: { strategyIds: [a, b, c] },
        data: { strategyIds: [c, b, a] },
      },
    ]);
  });

  test('writes nothing where all stand there already', async () => {
    const { name, ids, order } = await made();
    const same = ids.map((id, sortOrder) => ({ id, sortOrder }));
    expect(await eventsAddedBy(service, name, () => order(same))).toEqual([]);
    expect(await eventsAddedBy(service, name, () => order([]))).toEqual([]);
  });

  test('names every strategy that is unknown, also one of another feature, and every one that is named twice', async () => {
    const { ids, order, read } = await made();
    const other = await world.strategy(await world.feature());
    const before = await read();
    const known = { id: ids[0], sortOrder: 7 };
    const unknown = await order([known, { id: 'unknown', sortOrder: 1 }, { id: other, sortOrder: 2 }]);
    expect(unknown).toMatchObject({ status: 404, body: { details: [{ path: '1.id' }, { path: '2.id' }] } });
    const twice = await order([known, { id: ids[1], sortOrder: 1 }, known]);
    expect(twice).toMatchObject({ status: 400, body: { name: 'ValidationError' } });
    expect(problemPaths(twice)).toEqual(['2.id']);
    expect(await read()).toEqual(before);
  });
});
