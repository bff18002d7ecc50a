import { expect } from 'vitest';
import { serviceEvents } from '../../harness/service-events.ts';
import { specify, test } from '../../specifications/specify.ts';

specify('removeSegment', {
  route: 'DELETE /api/admin/segments/{id}',
  may: ['Admin', 'Editor', 'Owner'],
  needs: ['DELETE_SEGMENT', 'UPDATE_PROJECT_SEGMENT'],
  request: async (world) => ({
    params: { id: (await world.segment({ project: world.home.projectId })).id },
    project: world.home.projectId,
  }),
  again: 404,
});

test('A deleted segment is in no list, its name is free, and the event says what it was', async ({
  service,
  world,
}) => {
  const { id, name } = await world.segment();
  expect((await service.call('DELETE', `/api/admin/segments/${id}`)).status).toBe(204);
  expect((await service.get('/api/admin/segments')).body.segments).toEqual([]);
  expect((await serviceEvents(service.table)).at(-1)).toMatchObject({ type: 'segment-deleted', preData: { id, name } });
  expect((await service.post('/api/admin/segments', { name, constraints: [] })).status).toBe(201);
});

test('A segment stays while the default strategy of a project uses it, and goes when that uses another one', async ({
  service,
  world,
}) => {
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
