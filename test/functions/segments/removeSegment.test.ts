import { expect, test } from 'vitest';
import { freshService } from '../../harness/service.ts';
import { serviceEvents } from '../../harness/service-events.ts';
import { World } from '../../harness/world.ts';
import { specify } from '../../specifications/specify.ts';

specify('removeSegment', {
  route: 'DELETE /api/admin/segments/{id}',
  may: ['Admin', 'Editor'],
  needs: ['DELETE_SEGMENT'],
  request: async (world) => ({ params: { id: (await world.segment()).id } }),
  again: 404,
});

test('A deleted segment is in no list, its name is free, and the event says what it was', async () => {
  const service = await freshService();
  const { id, name } = await new World(service).segment();
  expect((await service.call('DELETE', `/api/admin/segments/${id}`)).status).toBe(204);
  expect((await service.get('/api/admin/segments')).body.segments).toEqual([]);
  expect((await serviceEvents(service.table)).at(-1)).toMatchObject({ type: 'segment-deleted', preData: { id, name } });
  expect((await service.post('/api/admin/segments', { name, constraints: [] })).status).toBe(201);
});
