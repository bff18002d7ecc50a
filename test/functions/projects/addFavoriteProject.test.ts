import { expect } from 'vitest';
import { serviceEventsAddedBy } from '../../harness/service-events.ts';
import { specify, test } from '../../specifications/specify.ts';

specify('addFavoriteProject', {
  route: 'POST /api/admin/projects/{projectId}/favorites',
  unversioned: 'it changes what the caller sees, and nothing else',
  may: 'any token',
  request: async (world) => ({ params: { projectId: await world.project() } }),
});

test('A project becomes a favorite of one user, with one event, however often and at whatever time', async ({
  service,
  world,
}) => {
  const id = await world.project();
  const add = () => service.call('POST', `/api/admin/projects/${id}/favorites`);
  const events = await serviceEventsAddedBy(service.table, async () => {
    for (const answer of [...(await Promise.all([add(), add(), add()])), await add()]) {
      expect(answer).toMatchObject({ status: 200, text: '' });
    }
  });
  expect(events).toMatchObject([{ type: 'project-favorited', project: id }]);
  const other = { token: await world.token() };
  for (const [user, favorite] of [
    [{}, true],
    [other, false],
  ] as const) {
    const { projects } = (await service.get('/api/admin/projects', user)).body;
    expect(projects).toMatchObject([
      { id: 'default', favorite: false },
      { id, favorite },
    ]);
    expect((await service.get(`/api/admin/projects/${id}/overview`, user)).body.favorite).toBe(favorite);
  }
});
