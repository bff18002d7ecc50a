import { describe, expect, test } from 'vitest';
import { favoriteProjectsOf } from '../../../lib/projects/favorites.ts';
import { loadProject } from '../../../lib/projects/projects.ts';
import { serviceEvents } from '../../harness/service-events.ts';
import { sharedWorld, specify } from '../../specifications/specify.ts';

specify('addFavoriteProject', {
  route: 'POST /api/admin/projects/{projectId}/favorites',
  unversioned: 'it changes what the caller sees, and nothing else',
  may: 'any token',
  request: async (world) => ({ params: { projectId: await world.project() } }),
});

describe('A favorite project', () => {
  const { service, world } = sharedWorld();
  const events = async (project: string) =>
    (await serviceEvents(service.table)).filter((event) => event.project === project).map(({ type }) => type);

  test('is one of the user who made it one, with one event, however often and at whatever time', async () => {
    const id = await world.project();
    const before = await events(id);
    const add = () => service.call('POST', `/api/admin/projects/${id}/favorites`);
    for (const answers of [await Promise.all([add(), add(), add()]), [await add()]]) {
      for (const answer of answers) expect(answer).toMatchObject({ status: 200, text: '' });
    }
    expect((await events(id)).slice(before.length)).toEqual(['project-favorited']);
    const project = await loadProject(service.table, id);
    const adminTokenUser = { id: -42 };
    expect((await favoriteProjectsOf(service.table, adminTokenUser))(project)).toBe(true);
    expect((await favoriteProjectsOf(service.table, { id: 1 }))(project)).toBe(false);
  });
});
