import { expect } from 'vitest';
import { serviceEventsAddedBy } from '../../harness/service-events.ts';
import { specify, test } from '../../specifications/specify.ts';

specify('removeFavoriteProject', {
  route: 'DELETE /api/admin/projects/{projectId}/favorites',
  unversioned: 'it changes what the caller sees, and nothing else',
  may: 'any token',
  request: async (world) => {
    const projectId = await world.project();
    await world.ask('POST', `/api/admin/projects/${projectId}/favorites`);
    return { params: { projectId } };
  },
});

test('A project ends being a favorite, with one event', async ({ service, world }) => {
  const id = await world.project();
  const path = `/api/admin/projects/${id}/favorites`;
  const events = await serviceEventsAddedBy(service.table, async () => {
    for (const method of ['POST', 'DELETE', 'DELETE']) {
      expect(await service.call(method, path)).toMatchObject({ status: 200, text: '' });
    }
  });
  expect(events).toMatchObject([{ type: 'project-favorited' }, { type: 'project-unfavorited', project: id }]);
  expect((await service.get(`/api/admin/projects/${id}/overview`)).body.favorite).toBe(false);
});
