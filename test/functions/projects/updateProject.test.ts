import { beforeEach, describe, expect, test } from 'vitest';
import { serviceEvents } from '../../harness/service-events.ts';
import { World } from '../../harness/world.ts';
import { openTo, serviceForEach, specify } from '../../specifications/specify.ts';

specify('updateProject', {
  route: 'PUT /api/admin/projects/{projectId}',
  ...openTo('Owner', 'UPDATE_PROJECT'),
  request: async (world) => ({
    params: { projectId: await world.project() },
    body: { name: 'Shop', description: 'What sells', mode: 'private', defaultStickiness: 'userId', featureLimit: 5 },
  }),
  required: ['name'],
  nullable: ['description', 'featureLimit'],
});

describe('Changing a project', () => {
  let id: string;
  const service = serviceForEach();
  beforeEach(async () => {
    id = await new World(service).project();
  });
  const update = (body: object) => service.put(`/api/admin/projects/${id}`, body);
  const overview = async () => (await service.get(`/api/admin/projects/${id}/overview`)).body;

  test('changes what is named and leaves the rest, shows it, and records both', async () => {
    expect(await update({ name: 'Shop', defaultStickiness: 'userId', featureLimit: 5 })).toMatchObject({
      status: 200,
      text: '',
    });
    expect(await overview()).toMatchObject({
      name: 'Shop',
      defaultStickiness: 'userId',
      featureLimit: 5,
      mode: 'open',
    });
    expect((await overview()).updatedAt).toEqual(expect.any(String));
    expect((await serviceEvents(service.table)).at(-1)).toMatchObject({
      type: 'project-updated',
      project: id,
      data: { id, name: 'Shop', defaultStickiness: 'userId', featureLimit: 5 },
      preData: { id, name: id, defaultStickiness: 'default', featureLimit: null },
    });
    await update({ name: 'Shop', description: 'What sells', mode: 'protected' });
    expect(await overview()).toMatchObject({ description: 'What sells', mode: 'protected', featureLimit: 5 });
    await update({ name: 'Shop', description: null, featureLimit: null });
    expect(await overview()).not.toHaveProperty('description');
    expect(await overview()).toMatchObject({ featureLimit: null });
  });

  test('to a limit keeps further features out, new, cloned, imported and revived, but not archived ones', async () => {
    const world = new World(service);
    const { name } = await world.feature({ project: id });
    await update({ name: 'Shop', featureLimit: 2 });
    const create = (feature: string) => service.post(`/api/admin/projects/${id}/features`, { name: feature });
    expect((await create('second')).status).toBe(201);
    expect(await create('third')).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('at most 2') },
    });
    const clone = await service.post(`/api/admin/projects/${id}/features/${name}/clone`, { name: 'third' });
    expect(clone.status).toBe(400);
    await expect(world.feature({ project: id })).rejects.toThrow('at most 2');
    const archived = (await world.feature({ project: id, archived: true })).name;
    for (const reviving of [
      service.post(`/api/admin/archive/revive/${archived}`),
      service.post(`/api/admin/projects/${id}/revive`, { features: [archived] }),
      service.put(`/api/admin/projects/${id}/features/${archived}`, { archived: false }),
    ]) {
      expect(await reviving).toMatchObject({ status: 400, body: { message: expect.stringContaining('at most 2') } });
    }
    await service.call('DELETE', `/api/admin/projects/${id}/features/second`);
    expect((await service.post(`/api/admin/archive/revive/${archived}`)).status).toBe(200);
    expect((await create('third')).status).toBe(400);
  });
});
