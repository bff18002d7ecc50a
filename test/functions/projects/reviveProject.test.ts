import { expect } from 'vitest';
import { serviceEvents } from '../../harness/service-events.ts';
import { specify, test } from '../../specifications/specify.ts';

specify('reviveProject', {
  route: 'POST /api/admin/projects/revive/{projectId}',
  versionAt: 'GET /api/admin/projects/{projectId}',
  may: ['Admin', 'Editor', 'Owner'],
  needs: ['UPDATE_PROJECT'],
  request: async (world) => {
    const projectId = await world.project();
    await world.ask('POST', `/api/admin/projects/archive/${projectId}`, {});
    // The items that count its features are as many as those of 14 features.
    return { params: { projectId }, size: 14 };
  },
});

test('A project that is revived takes features again, and those in the archive stay there', async ({
  service,
  world,
}) => {
  const id = await world.project();
  const archived = await world.feature({ project: id, archived: true });
  for (let round = 0; round < 2; round += 1) {
    await service.post(`/api/admin/projects/archive/${id}`, {});
    expect((await service.post(`/api/admin/projects/revive/${id}`, {})).status).toBe(200);
  }
  expect((await serviceEvents(service.table)).at(-1)).toMatchObject({ type: 'project-revived', project: id });
  const { projects } = (await service.get('/api/admin/projects')).body;
  expect(projects.find((project: { id: string }) => project.id === id)).toMatchObject({ archivedAt: null });
  expect((await service.get(`/api/admin/projects/${id}/features`)).body.features).toEqual([]);
  expect((await service.post(`/api/admin/archive/revive/${archived.name}`, {})).status).toBe(200);
  const { name } = await world.feature({ project: id });
  expect((await service.get(`/api/admin/projects/${id}/features/${name}`)).status).toBe(200);
});
