import { expect } from 'vitest';
import { favoriteProjectsOf } from '../../../lib/projects/favorites.ts';
import { loadProject } from '../../../lib/projects/projects.ts';
import { serviceEvents } from '../../harness/service-events.ts';
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
  for (const method of ['POST', 'DELETE', 'DELETE']) {
    expect(await service.call(method, path)).toMatchObject({ status: 200, text: '' });
  }
  const types = (await serviceEvents(service.table)).flatMap(({ project, type }) => (project === id ? [type] : []));
  expect(types.slice(-2)).toEqual(['project-favorited', 'project-unfavorited']);
  const isFavorite = await favoriteProjectsOf(service.table, { id: -42 });
  expect(isFavorite(await loadProject(service.table, id))).toBe(false);
});
