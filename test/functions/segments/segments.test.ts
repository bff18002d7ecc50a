import { expect } from 'vitest';
import { serviceEvents } from '../../harness/service-events.ts';
import { openTo, specify, test } from '../../specifications/specify.ts';

specify('getSegment', {
  route: 'GET /api/admin/segments/{id}',
  may: 'any token',
  request: async (world) => ({ params: { id: (await world.segment()).id } }),
});

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

specify('removeSegment', {
  route: 'DELETE /api/admin/segments/{id}',
  ...openTo('Owner', 'DELETE_SEGMENT', 'UPDATE_PROJECT_SEGMENT'),
  request: async (world) => ({
    params: { id: (await world.segment({ project: world.home.projectId })).id },
    project: world.home.projectId,
  }),
  again: 404,
});

test('A deleted segment is in no list, its name free, and the event tells what it was', async ({ service, world }) => {
  const { id, name } = await world.segment();
  expect((await service.call('DELETE', `/api/admin/segments/${id}`)).status).toBe(204);
  expect((await service.get('/api/admin/segments')).body.segments).toEqual([]);
  expect((await serviceEvents(service.table)).at(-1)).toMatchObject({ type: 'segment-deleted', preData: { id, name } });
  expect((await service.post('/api/admin/segments', { name, constraints: [] })).status).toBe(201);
});

test('A segment stays while the default strategy of a project uses it', async ({ service, world }) => {
  const [segment, other] = [await world.segment(), await world.segment()];
  const path = '/api/admin/projects/default/environments/development/default-strategy';
  const set = (segments: number[]) => world.ask('POST', path, { name: 'flexibleRollout', segments });
  await set([segment.id]);
  const remove = () => service.call('DELETE', `/api/admin/segments/${segment.id}`);
  expect(await remove()).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('the default strategy of the project "default" in "development"') },
  });
  expect((await service.get(`/api/admin/segments/${segment.id}/strategies`)).body.strategies).toEqual([]);
  await set([other.id]);
  expect((await remove()).status).toBe(204);
  expect((await service.call('DELETE', `/api/admin/segments/${other.id}`)).status).toBe(409);
});

specify('validateSegment', {
  route: 'POST /api/admin/segments/validate',
  ...openTo('Owner', 'CREATE_SEGMENT', 'UPDATE_SEGMENT', 'UPDATE_PROJECT_SEGMENT'),
  request: (world) => ({ body: { name: world.name('segment') } }),
  required: ['name'],
});

test('The name of a segment that is in use is a 409', async ({ service, world }) => {
  const { name } = await world.segment();
  expect(await service.post('/api/admin/segments/validate', { name })).toMatchObject({
    status: 409,
    body: { name: 'NameExistsError' },
  });
});
