import { expect } from 'vitest';
import { eventsAddedBy, newTokenOf } from '../../harness/features.ts';
import { openTo, specify, test } from '../../specifications/specify.ts';

specify('updateFeatureStrategySegments', {
  route: 'POST /api/admin/segments/strategies',
  ...openTo('Member', 'UPDATE_FEATURE_STRATEGY'),
  request: async (world) => ({
    body: {
      projectId: world.home.projectId,
      environmentId: world.home.environment,
      strategyId: await world.strategy(await world.feature()),
      segmentIds: [(await world.shared('segment', () => world.segment())).id],
    },
    project: world.home.projectId,
  }),
  required: ['projectId', 'environmentId', 'strategyId', 'segmentIds'],
  // What the features of the project do, the strategies of those that have some, the feature itself, and the change.
  waits: 4,
  differs: '404 for a strategy that the project does not have in the environment; the event that Unleash leaves out',
});

test('The segments of a strategy are replaced, with the event of its change', async ({ service, world }) => {
  const [one, other] = [await world.segment(), await world.segment()];
  const feature = await world.feature();
  const strategyId = await world.strategy(feature, { name: 'default', segments: [one.id] });
  const { projectId, environment: environmentId } = feature.place;
  const place = { projectId, environmentId, strategyId };
  const set = (body: object) => service.post('/api/admin/segments/strategies', { ...place, ...body });

  const events = await eventsAddedBy(service, feature.name, async () => {
    const body = { ...place, segmentIds: [other.id] };
    expect(await set(body)).toMatchObject({ status: 201, body });
  });
  expect(events).toMatchObject([
    { type: 'feature-strategy-update', preData: { segments: [one.id] }, data: { segments: [other.id] } },
  ]);
  expect((await service.call('DELETE', `/api/admin/segments/${one.id}`)).status).toBe(204);
  expect((await service.call('DELETE', `/api/admin/segments/${other.id}`)).status).toBe(409);

  expect((await set({ segmentIds: [1_000_000] })).status).toBe(404);
  expect((await set({ segmentIds: [], environmentId: 'production' })).status).toBe(404);
  expect((await set({ segmentIds: [], projectId: 'nowhere' })).status).toBe(404);
  const token = await newTokenOf(service, { username: 'viewer' });
  const refused = await service.post('/api/admin/segments/strategies', { ...place, segmentIds: [] }, { token });
  expect(refused.status).toBe(403);
});
