import { describe, expect, test } from 'vitest';
import { readEnvironments } from '../../harness/imports.ts';
import { serviceEvents } from '../../harness/service-events.ts';
import { stuckAfter } from '../../harness/stuck.ts';
import { openTo, specify, worldForEach } from '../../specifications/specify.ts';

specify('updateEnvironment', {
  route: 'PUT /api/admin/environments/update/{name}',
  versionAt: 'GET /api/admin/environments/{name}',
  ...openTo('Admin', 'ADMIN'),
  request: async (world) => ({
    params: { name: await world.environment() },
    body: { type: 'preproduction', sortOrder: 70, requiredApprovals: 2 },
  }),
  others: {
    'of a project': async (world) => {
      const name = await world.environment();
      await world.project({ environments: [name] });
      return { params: { name }, body: { type: 'preproduction', sortOrder: 70 }, stages: 2 };
    },
  },
  nullable: ['requiredApprovals'],
  // Which projects have copied it.
  waits: 4,
});

describe('Changing an environment', () => {
  const { service, world } = worldForEach();
  const update = (name: string, body: object) => service.put(`/api/admin/environments/update/${name}`, body);

  test('changes what is named, answers it whole, and records both', async () => {
    const { body } = await update('production', { type: 'live', requiredApprovals: null });
    expect(body).toMatchObject({ name: 'production', type: 'live', sortOrder: 3, requiredApprovals: null });
    expect((await readEnvironments(service)).production).toMatchObject({ type: 'live' });
    expect((await serviceEvents(service.table)).at(-1)).toMatchObject({
      type: 'environment-updated',
      environment: 'production',
      data: { type: 'live' },
      preData: { type: 'production' },
    });
  });

  test('sets how many approvals changes need, from 1 to 10, until they need none', async () => {
    const asked = [3, 11, null, 1, 0];
    const answered = [];
    for (const requiredApprovals of asked) {
      await update('production', { requiredApprovals });
      await update('production', { type: `type of ${requiredApprovals}` });
      answered.push((await service.get('/api/admin/environments/production')).body.requiredApprovals);
    }
    expect(answered).toEqual([3, 10, null, 1, null]);
  });

  test('is not done again over that of others by a repeat with its key, where it was cut off', async () => {
    const name = await world.environment();
    const project = await world.project({ environments: [name] });
    const headers = { 'idempotency-key': 'cut-off' };
    const send = () => service.put(`/api/admin/environments/update/${name}`, { sortOrder: 70 }, { headers });
    const cutOff = await stuckAfter(service.table, 1, send);
    expect(cutOff.isStuck).toBe(true);
    await update(name, { sortOrder: 80 });
    expect(await send()).toMatchObject({ status: 200, body: { sortOrder: 80 } });
    await cutOff.goOn();
    expect((await readEnvironments(service))[name]).toMatchObject({ sortOrder: 80 });
    const { body } = await service.get(`/api/admin/environments/project/${project}`);
    expect(body.environments).toContainEqual(expect.objectContaining({ name, sortOrder: 80 }));
  });

  test('shows in every project that has it, and in their features', async () => {
    // More projects than are read together, most of which have nothing to do with it.
    await world.projects(100);
    const project = await world.project({ environments: ['development', 'production'] });
    const feature = await world.feature({ project });
    await update('production', { type: 'live', sortOrder: 1 });
    const { body } = await service.get(`/api/admin/projects/${project}/features/${feature.name}`);
    expect(body.environments).toMatchObject([
      { name: 'production', type: 'live', sortOrder: 1 },
      { name: 'development', sortOrder: 2 },
    ]);
  });

  test('ends with the last of two changes at the same time in all projects', async () => {
    const project = await world.project({ environments: ['production'] });
    const first = await stuckAfter(service.table, 1, () => update('production', { sortOrder: 60 }));
    expect(first.isStuck).toBe(true);
    await Promise.all([70, 80].map((sortOrder) => update('production', { sortOrder })));
    await first.goOn();
    const feature = await world.feature({ project, environment: 'production' });
    const { body } = await service.get(`/api/admin/projects/${project}/features/${feature.name}`);
    const { sortOrder } = (await readEnvironments(service)).production;
    expect(body.environments).toMatchObject([{ name: 'production', sortOrder }]);
  });

  test('is refused for one that is protected', async () => {
    expect(await update('default', { type: 'test' })).toMatchObject({ status: 400 });
  });
});
