import { beforeEach, describe, expect } from 'vitest';
import * as partitions from '../../../lib/store/partitions.ts';
import { queryAll } from '../../../lib/store/read.ts';
import { readEnvironments } from '../../harness/imports.ts';
import { serviceEvents } from '../../harness/service-events.ts';
import { stuckAfter } from '../../harness/stuck.ts';
import { openTo, specify, test, worldForEach } from '../../specifications/specify.ts';

specify('removeEnvironment', {
  route: 'DELETE /api/admin/environments/{name}',
  ...openTo('Admin', 'ADMIN'),
  request: async (world) => ({ params: { name: await world.environment() }, stages: 2 }),
  others: {
    'of a project with features': async (world) => {
      const name = await world.environment();
      const project = await world.project({ environments: [name] });
      await world.features(2, { project, environment: name, on: true, strategies: [{ name: 'default' }] });
      return { params: { name }, size: 20, stages: 8 };
    },
  },
  again: 404,
  // What is in it is looked for in every project.
  waits: 10,
});

describe('Deleting an environment', () => {
  let name: string;
  const { service, world } = worldForEach();
  beforeEach(async () => {
    name = await world.environment();
  });
  const remove = () => service.call('DELETE', `/api/admin/environments/${name}`);

  test('takes it out of all projects, with its tokens and all that features have there', async () => {
    const segment = await world.segment();
    const projects = [
      await world.project({ environments: [name, 'production'] }),
      await world.project({ environments: [name] }),
      await world.project({ environments: ['production'] }),
    ];
    const strategies = Array.from({ length: 11 }, () => ({ name: 'default' }));
    const features = [];
    for (const project of projects.slice(0, 2)) {
      const feature = await world.feature({ project, environment: name, on: true, strategies });
      await world.strategy(feature, { name: 'default', segments: [segment.id] });
      features.push(feature);
    }
    // What a project had, and what is archived, counts as well.
    await service.call('DELETE', `/api/admin/projects/${projects[1]}/environments/${name}`);
    await service.call('DELETE', `/api/admin/projects/${projects[0]}/features/${features[0]?.name}`);
    await world.clientToken({ environment: name });
    expect((await service.call('DELETE', `/api/admin/segments/${segment.id}`)).status).toBe(409);

    expect(await remove()).toMatchObject({ status: 200, text: '' });
    expect(await readEnvironments(service)).not.toHaveProperty(name);
    for (const project of projects) {
      const { body } = await service.get(`/api/admin/projects/${project}/overview`);
      expect(body.environments.map(({ environment }: { environment: string }) => environment)).not.toContain(name);
    }
    expect((await service.get('/api/admin/api-tokens')).text).not.toContain(name);
    expect((await service.call('DELETE', `/api/admin/segments/${segment.id}`)).status).toBe(204);
    // What features kept of each would be in the way of all their changes one day.
    for (const feature of features) {
      const items = await queryAll(service.table, partitions.feature(feature.name));
      expect(JSON.stringify(items)).not.toContain(name);
    }
    const types = (await serviceEvents(service.table)).map(({ type }) => type);
    expect(types).toEqual(
      expect.arrayContaining(['environment-deleted', 'project-environment-removed', 'api-token-deleted']),
    );

    // One of the same name begins with nothing.
    expect((await service.post('/api/admin/environments', { name, type: 'test' })).status).toBe(201);
    await service.post(`/api/admin/projects/${projects[1]}/environments`, { environment: name });
    const { body } = await service.get(`/api/admin/projects/${projects[1]}/features/${features[1]?.name}`);
    expect(body.environments).toMatchObject([{ name, enabled: false, strategies: [], variants: [] }]);
    expect((await readEnvironments(service))[name]).toMatchObject({
      enabledToggleCount: 0,
      apiTokenCount: 0,
      projectCount: 1,
    });
  });

  test('is refused for one that is protected', async () => {
    expect((await service.call('DELETE', '/api/admin/environments/default')).status).toBe(400);
    expect(await readEnvironments(service)).toHaveProperty('default');
  });

  test('leaves nothing behind, whatever is being added to it at the same time', async () => {
    const project = await world.project({ environments: [name] });
    const other = await world.project();
    const feature = await world.feature({ project, environment: name });
    const token = { tokenName: 'raced', type: 'client', environment: name, projects: ['*'] };
    const additions = [
      () => service.post(`/api/admin/projects/${other}/environments`, { environment: name }),
      () => service.post('/api/admin/projects', { name: 'Raced', environments: [name] }),
      () => service.post('/api/admin/api-tokens', token),
      () => service.post(`/api/admin/projects/${project}/features/${feature.name}/environments/${name}/on`, {}),
      () => service.put(`/api/admin/environments/update/${name}`, { sortOrder: 9 }),
    ];
    // Those under way have read all that they want to know, and are to write.
    const stuck = await Promise.all(additions.map((add) => stuckAfter(service.table, 0, add)));
    expect(stuck.every(({ isStuck }) => isStuck)).toBe(true);
    const removals = await Promise.all([remove(), remove()]);
    const answers = [...removals, ...(await Promise.all(stuck.map((addition) => addition.goOn())))];
    for (const { status } of answers) expect([200, 201, 404]).toContain(status);
    expect(await readEnvironments(service)).not.toHaveProperty(name);
    const { projects } = (await service.get('/api/admin/projects')).body;
    for (const { id } of projects) {
      const { text } = await service.get(`/api/admin/projects/${id}/overview`);
      expect(text).not.toContain(`"${name}"`);
    }
    expect((await service.get('/api/admin/api-tokens')).text).not.toContain(`"${name}"`);
  });
});

test('Roles lose the permissions there, for the next environment of that name', async ({ service, world }) => {
  const name = await world.environment();
  const permissions = [{ name: 'CREATE_FEATURE' }, { name: 'UPDATE_FEATURE_ENVIRONMENT', environment: name }];
  const role = await world.role({ permissions });
  await world.ask('DELETE', `/api/admin/environments/${name}`);
  const left = (await service.get(`/api/admin/roles/${role}`)).body.permissions;
  expect(left.map((each: { name: string }) => each.name)).toEqual(['CREATE_FEATURE']);
});
