import { beforeEach, describe, expect, test } from 'vitest';
import { freshService, type Service } from '../../harness/service.ts';
import { serviceEvents } from '../../harness/service-events.ts';
import { World } from '../../harness/world.ts';
import { specify } from '../../specifications/specify.ts';

specify('archiveProject', {
  route: 'POST /api/admin/projects/archive/{projectId}',
  may: ['Admin', 'Editor', 'Owner'],
  needs: ['DELETE_PROJECT'],
  request: async (world) => {
    const projectId = await world.project();
    await world.feature({ project: projectId, archived: true });
    // The items that count its features are as many as those of 14 features.
    return { params: { projectId }, size: 14 };
  },
});

describe('An archived project', () => {
  let service: Service;
  let world: World;
  let id: string;
  beforeEach(async () => {
    service = await freshService();
    world = new World(service);
    id = await world.project();
  });
  const archive = () => service.post(`/api/admin/projects/archive/${id}`, {});
  const listed = async (query = '') => {
    const { projects } = (await service.get(`/api/admin/projects${query}`)).body;
    return projects.map((project: { id: string }) => project.id);
  };

  test('is listed among the archived alone, and says since when', async () => {
    expect(await archive()).toMatchObject({ status: 200, text: '' });
    expect(await listed()).toEqual(['default']);
    expect(await listed('?archived=true')).toEqual([id]);
    const { archivedAt } = (await service.get(`/api/admin/projects/${id}/overview`)).body;
    expect(archivedAt).toEqual(expect.any(String));
    const event = { type: 'project-archived', project: id, data: { archivedAt }, preData: { archivedAt: null } };
    expect((await serviceEvents(service.table)).at(-1)).toMatchObject(event);
  });

  test('has no live features: they are named, and nothing happens', async () => {
    const { name } = await world.feature({ project: id });
    const { status, body } = await archive();
    expect([status, body.name]).toEqual([409, 'InUseError']);
    expect(body.message).toContain(name);
    expect(await listed()).toContain(id);
  });

  test('takes no features: none is created, cloned, imported, moved there or revived', async () => {
    const features = `/api/admin/projects/${id}/features`;
    const archived = await world.feature({ project: id, archived: true });
    const other = await world.feature({ project: await world.project() });
    await archive();
    const refused = await Promise.all([
      service.post(features, { name: 'new' }),
      service.post(`${features}/${archived.name}/clone`, { name: 'new' }),
      service.post(`/api/admin/projects/${other.place.projectId}/features/${other.name}/changeProject`, {
        newProjectId: id,
      }),
      service.post(`/api/admin/archive/revive/${archived.name}`, {}),
      service.post(`/api/admin/projects/${id}/revive`, { features: [archived.name] }),
      service.put(`${features}/${archived.name}`, { archived: false }),
    ]);
    expect(refused.map(({ status }) => status)).toEqual(Array(6).fill(404));
    for (const { body } of refused) expect(body.message).toContain('is archived');
    await expect(world.feature({ project: id })).rejects.toThrow('is archived');
    const { status } = await service.put(`${features}/${archived.name}`, { description: 'still to be read' });
    expect(status).toBe(200);
    expect((await service.call('DELETE', `/api/admin/archive/${archived.name}`)).status).toBe(200);
  });

  test('stays without live features while others create, revive or move one at the same time', async () => {
    for (let round = 0; round < 10; round += 1) {
      const project = await world.project();
      const other = await world.feature();
      const parked = await world.feature({ project, archived: true });
      const answers = await Promise.all([
        service.post(`/api/admin/projects/archive/${project}`, {}),
        service.post(`/api/admin/projects/${project}/features`, { name: world.name('new') }),
        service.post(`/api/admin/archive/revive/${parked.name}`, {}),
        service.post(`/api/admin/projects/default/features/${other.name}/changeProject`, { newProjectId: project }),
      ]);
      const [archived] = answers;
      const { body } = await service.get(`/api/admin/projects/${project}/features`);
      if (archived?.status === 200) expect(body.features).toEqual([]);
      else expect([archived?.status, body.features.length > 0]).toEqual([409, true]);
    }
  });
});
