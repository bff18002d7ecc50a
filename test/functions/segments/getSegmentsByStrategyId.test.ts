import { expect } from 'vitest';
import { specify, test } from '../../specifications/specify.ts';

specify('getSegmentsByStrategyId', {
  route: 'GET /api/admin/segments/strategies/{strategyId}',
  may: 'any token',
  request: async (world) => {
    const { id } = await world.segment();
    return { params: { strategyId: await world.strategy(await world.feature(), { name: 'default', segments: [id] }) } };
  },
  takesAnyName: ['strategyId'],
  // The projects, what their features use, the strategies of those that use segments, and these segments.
  waits: 4,
});

test('A strategy is found among those of all features, and its segments are listed', async ({ service, world }) => {
  const [one, other] = [await world.segment(), await world.segment()];
  const feature = await world.feature();
  await world.strategy(feature, { name: 'default', segments: [one.id] });
  const id = await world.strategy(feature, { name: 'default', segments: [other.id, one.id] });
  const list = async (strategyId: string) => (await service.get(`/api/admin/segments/strategies/${strategyId}`)).body;
  expect(await list(id)).toMatchObject({ segments: [{ id: other.id }, { id: one.id }] });
  expect(await list('unknown')).toEqual({ segments: [] });
});
