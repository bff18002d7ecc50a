import { beforeEach, describe, expect, test } from 'vitest';
import { serviceEvents } from '../../harness/service-events.ts';
import { stuckAfter } from '../../harness/stuck.ts';
import { openTo, specify, worldForEach } from '../../specifications/specify.ts';

specify('archiveProject', {
  route: 'POST /api/admin/projects/archive/{projectId}',
  versionAt: 'GET /api/admin/projects/{projectId}',
  ...openTo('Owner', 'DELETE_PROJECT'),
  request: async (world) => {
    const projectId = await world.project();
    await world.feature({ project: projectId, archived: true });
    // The items that count its features are as many as those of 14 features.
    return { params: { projectId }, size: 14 };
  },
});

describe('An archived project', () => {
  let id: string;
  const { service, world } = worldForEach();
  beforeEach(async () => {
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
    const from = await world.project();
    const other = await world.feature({ project: from });
    const parked = await world.feature({ project: id, archived: true });
    const features = async () => (await service.get(`/api/admin/projects/${id}/features`)).body.features;
    const additions = [
      () => service.post(`/api/admin/projects/${id}/features`, { name: world.name('new') }),
      () => service.post(`/api/admin/archive/revive/${parked.name}`, {}),
      () => service.post(`/api/admin/projects/${from}/features/${other.name}/changeProject`, { newProjectId: id }),
    ];
    // Those that have read all that they want to know come too late.
    const stuck = await Promise.all(additions.map((add) => stuckAfter(service.table, 0, add)));
    expect(stuck.map(({ isStuck }) => isStuck)).toEqual([true, true, true]);
    expect((await archive()).status).toBe(200);
    const late = await Promise.all(stuck.map((addition) => addition.goOn()));
    expect(late.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(await features()).toEqual([]);

    await service.post(`/api/admin/projects/revive/${id}`, {});
    for (const add of additions) {
      const archiving = await stuckAfter(service.table, 0, archive);
      expect((await add()).status).toBeLessThan(300);
      expect([archiving.isStuck, (await archiving.goOn()).status]).toEqual([true, 409]);
      const names = (await features()).map(({ name }: { name: string }) => name);
      expect(names).toHaveLength(1);
      await service.post(`/api/admin/projects/${id}/archive`, { features: names });
    }
  });
});
