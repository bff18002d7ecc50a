import { beforeEach, describe, expect } from 'vitest';
import * as featureKeys from '../../../lib/features/keys.ts';
import { readSeed } from '../../../lib/imports/seed/seed-data.ts';
import { seedStore } from '../../../lib/imports/seed/seed-store.ts';
import { queryAll } from '../../../lib/store/read.ts';
import { problemPaths } from '../../harness/features.ts';
import { readEnvironments } from '../../harness/imports.ts';
import { serviceEvents, serviceEventsAddedBy } from '../../harness/service-events.ts';
import { stuckAfter } from '../../harness/stuck.ts';
import { openTo, sharedService, specify, test, worldForEach } from '../../specifications/specify.ts';

specify('createEnvironment', {
  route: 'POST /api/admin/environments',
  ...openTo('Admin', 'ADMIN'),
  request: (world) => ({
    body: { name: world.name('environment'), type: 'preproduction', enabled: true, sortOrder: 7, requiredApprovals: 2 },
  }),
  required: ['name', 'type'],
  nullable: ['requiredApprovals'],
  again: 409,
  // An earlier one of the name may still be in the way.
  waits: 3,
});

describe('Creating an environment', () => {
  const service = sharedService();
  const create = (body: object) => service.post('/api/admin/environments', body);

  test('answers it with what is left out, enabled and the last of all', async () => {
    const last = (await service.get('/api/admin/environments')).body.environments.at(-1);
    const { body } = await create({ name: 'staging', type: 'preproduction' });
    expect(body).toEqual({
      name: 'staging',
      type: 'preproduction',
      sortOrder: last.sortOrder + 1,
      enabled: true,
      protected: false,
      requiredApprovals: null,
    });
  });

  test('under the wildcard is a 400', async () => {
    expect(problemPaths(await create({ name: '*', type: '', requiredApprovals: -1 }))).toEqual([
      'name',
      'requiredApprovals',
      'type',
    ]);
  });

  test('gets a place that JSON keeps exact, even after the highest one', async () => {
    const highest = Number.MAX_SAFE_INTEGER;
    await create({ name: 'highest', type: 'test', sortOrder: highest });
    expect((await create({ name: 'after-it', type: 'test' })).body).toMatchObject({ sortOrder: highest });
  });

  test('is refused with 400 where there are 50', async () => {
    const { body } = await service.get('/api/admin/environments');
    const others = Array.from({ length: 49 - body.environments.length }, (_, index) => ({ name: `test-${index}` }));
    await seedStore(service.table, readSeed({ environments: others }));
    expect(await create({ name: 'the-last', type: 'test' })).toMatchObject({ status: 201 });
    expect(await create({ name: 'one-more', type: 'test' })).toMatchObject({ status: 400 });
  });
});

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

  test('changes what is named, and answers it whole', async () => {
    const { body } = await update('production', { type: 'live', requiredApprovals: null });
    expect(body).toMatchObject({ name: 'production', type: 'live', sortOrder: 3, requiredApprovals: null });
    expect((await readEnvironments(service)).production).toMatchObject({ type: 'live' });
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
  // It looks for parts of the environment in every project.
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
    // Former and archived features of a project count as well.
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
    // If features kept something of each deleted environment, it would one day block all their changes.
    for (const feature of features) {
      const items = await queryAll(service.table, featureKeys.featureItems(feature.name));
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
  expect(left.map(({ name }: { name: string }) => name)).toEqual(['CREATE_FEATURE']);
});

specify('updateSortOrder', {
  route: 'PUT /api/admin/environments/sort-order',
  unversioned: 'it is about many things',
  ...openTo('Admin', 'ADMIN'),
  request: async (world) => ({ body: { [await world.environment()]: 70 } }),
  others: {
    'of a project': async (world) => {
      const [one, other] = [await world.environment(), await world.environment()];
      await world.project({ environments: [one, other] });
      return { body: { [one]: 70, [other]: 60 }, stages: 2 };
    },
  },
  // Which projects have copied them.
  waits: 4,
});

describe('Ordering environments', () => {
  const { service, world } = worldForEach();
  const order = (body: object) => service.put('/api/admin/environments/sort-order', body);

  test('moves those that are named, everywhere, and records each that moves', async () => {
    const feature = await world.feature();
    const events = await serviceEventsAddedBy(service.table, async () => {
      expect(await order({ production: -1, development: 2 })).toMatchObject({ status: 200, text: '' });
    });
    expect(Object.keys(await readEnvironments(service))).toEqual(['production', 'default', 'development']);
    const { body } = await service.get(`/api/admin/projects/default/features/${feature.name}`);
    expect(body.environments.map(({ name }: { name: string }) => name)).toEqual(['production', 'development']);
    expect(events).toMatchObject([
      { type: 'environment-updated', environment: 'production', data: { sortOrder: -1 }, preData: { sortOrder: 3 } },
    ]);
  });

  test('is refused whole, naming every unknown one', async () => {
    const before = await readEnvironments(service);
    const { status, body } = await order({ missing: 1, production: 9, gone: 2 });
    expect(status).toBe(404);
    expect(body.details.map(({ path }: { path: string }) => path)).toEqual(['missing', 'gone']);
    expect(await readEnvironments(service)).toEqual(before);
  });

  test('takes whole numbers only', async () => {
    expect((await order({ production: 1.5 })).status).toBe(400);
    expect((await order([])).status).toBe(400);
  });

  test('shows an empty name where its place is the mistake', async () => {
    expect(await order({ '': null })).toMatchObject({ status: 400, body: { details: [{ path: '""' }] } });
    expect(await order({ '': 1 })).toMatchObject({ status: 404, body: { details: [{ path: '""' }] } });
  });
});
