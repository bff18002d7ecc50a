import { beforeEach, describe, expect, test } from 'vitest';
import { readSeed } from '../../../lib/imports/seed/seed-data.ts';
import * as projectKeys from '../../../lib/projects/keys.ts';
import { transact } from '../../../lib/store/transactions/transact.ts';
import { newTokenOf, problemPaths } from '../../harness/features.ts';
import { readEnvironments, writesNothing } from '../../harness/imports.ts';
import { openTo, sharedService, specify, worldForEach } from '../../specifications/specify.ts';

specify('createProject', {
  route: 'POST /api/admin/projects',
  ...openTo('Editor', 'CREATE_PROJECT'),
  request: (world) => ({
    body: {
      id: world.name('project'),
      name: 'Shop',
      description: 'What sells',
      mode: 'protected',
      defaultStickiness: 'userId',
      featureLimit: 100,
      environments: ['development', 'production'],
      changeRequestEnvironments: [{ name: 'production', requiredApprovals: 2 }],
    },
  }),
  others: {
    // Which of the ids that are made from the name are taken is asked first.
    'without an id': (world) => ({ body: { name: world.name('shop') }, repeats: true }),
  },
  required: ['name', 'changeRequestEnvironments.0.name'],
  needed: ['environments'],
  nullable: ['description', 'featureLimit', 'changeRequestEnvironments.0.requiredApprovals'],
  again: 409,
  // It reads who may approve in the environments, and reads the versions of projects again.
  waits: 4,
});

describe('Creating a project', () => {
  const { service, world } = worldForEach();
  const create = (body: object, token?: string) =>
    service.post('/api/admin/projects', body, token === undefined ? {} : { token });

  test('is refused if there are 500 projects', async () => {
    const ids = Array.from({ length: 498 }, (_, index) => `project-${index}`);
    for (let at = 0; at < ids.length; at += 90) {
      const writes = ids.slice(at, at + 90).map((id) => ({ put: projectKeys.projectInList(id), item: { id } }));
      await transact(service.table, writes, undefined);
    }
    expect((await create({ id: 'last', name: 'Last' })).status).toBe(201);
    const refused = await create({ id: 'shop', name: 'Shop' });
    expect(refused).toMatchObject({ status: 400, body: { message: 'At most 500 projects are allowed.' } });
  });

  test('returns it with defaults, in all environments', async () => {
    const answer = await create({ id: 'shop', name: 'Shop', description: 'What sells' });
    expect(answer.body).toEqual({
      id: 'shop',
      name: 'Shop',
      description: 'What sells',
      mode: 'open',
      defaultStickiness: 'default',
      featureLimit: null,
      environments: ['development', 'production'],
      changeRequestEnvironments: [],
    });
    expect((await service.get('/api/admin/projects/shop/overview')).body).toMatchObject({
      name: 'Shop',
      mode: 'open',
      environments: [{ environment: 'development' }, { environment: 'production' }],
    });
    const { development, production } = await readEnvironments(service);
    expect([development.projectCount, production.projectCount]).toEqual([2, 2]);
  });

  test('makes a service account its Owner at once, like a user', async () => {
    const permissions = [{ name: 'CREATE_PROJECT' }];
    const { id } = await world.serviceAccount({ rootRole: await world.role({ type: 'root-custom', permissions }) });
    const { secret } = await world.serviceAccountToken(id);
    expect((await create({ id: 'shop', name: 'Shop', mode: 'private' }, secret)).status).toBe(201);
    const { body } = await service.get('/api/admin/projects/shop/access', { token: secret });
    expect(body.users).toMatchObject([{ id, roles: [4] }]);
  });

  test('hides a private one at once from those who do not see it', async () => {
    const token = await world.token();
    const statusOf = async (id: string) => (await service.get(`/api/admin/projects/${id}/overview`, { token })).status;
    expect(await statusOf('default')).toBe(200);
    expect((await create({ id: 'secret', name: 'Secret', mode: 'private' })).status).toBe(201);
    expect(await statusOf('secret')).toBe(404);
    expect((await create({ id: 'open', name: 'Open' })).status).toBe(201);
    expect(await statusOf('open')).toBe(200);
    await service.put('/api/admin/projects/open/settings', { mode: 'private' });
    expect(await statusOf('open')).toBe(404);
  });

  test('makes the id from the name if it is omitted, with a number if it is in use', async () => {
    const idOf = async (name: string) => (await create({ name, id: '' })).body.id;
    expect(await idOf('Ünsere Läden & more!')).toBe('unsere-laden-more');
    expect(await idOf('Unsere Laden, more')).toBe('unsere-laden-more-1');
    expect(await Promise.all(['x', 'x', 'x'].map(idOf))).toHaveLength(3);
    expect(await idOf('店')).toBe('project');
    expect(await idOf('Archive')).toBe('archive-1');
    expect(await idOf('n'.repeat(255))).toHaveLength(90);
  });

  test('gives it all enabled environments, the given ones, or none', async () => {
    await service.post('/api/admin/environments/production/off', {});
    expect((await create({ name: 'usual' })).body.environments).toEqual(['development']);
    expect((await create({ name: 'named', environments: ['default', 'production'] })).body.environments).toEqual([
      'default',
      'production',
    ]);
    expect((await create({ name: 'none', environments: [] })).body.environments).toEqual([]);
  });

  test('without a description leaves that out of replies', async () => {
    expect((await create({ name: 'shop' })).body).not.toHaveProperty('description');
    expect((await create({ name: 'other', description: null })).body).not.toHaveProperty('description');
    const { projects } = (await service.get('/api/admin/projects')).body;
    expect(projects.find(({ id }: { id: string }) => id === 'shop')).not.toHaveProperty('description');
  });

  test('makes its creator the Owner', async () => {
    const token = await newTokenOf(service, { username: 'maker', rootRole: 'Editor' });
    await create({ name: 'shop' }, token);
    const { projects } = (await service.get('/api/admin/projects')).body;
    expect(projects.find(({ id }: { id: string }) => id === 'shop')).toMatchObject({
      memberCount: 1,
      owners: [{ ownerType: 'user', name: 'maker' }],
    });
  });

  test('under an id in use is a 409, and one of several concurrent requests succeeds', async () => {
    expect(await create({ id: 'default', name: 'Default' })).toMatchObject({ status: 409 });
    const answers = await Promise.all(Array.from({ length: 3 }, () => create({ id: 'raced', name: 'Raced' })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
    expect((await readEnvironments(service)).development.projectCount).toBe(2);
  });

  test('is refused with all problems', async () => {
    for (const id of ['*', 'archive']) {
      expect(problemPaths(await create({ id, name: '', mode: 'closed' }))).toEqual(['id', 'mode', 'name']);
    }
    const unknown = await create({ name: 'shop', environments: ['missing', 'production', 'gone'] });
    expect(unknown.status).toBe(404);
    const paths = unknown.body.details.map(({ path }: { path: string }) => path);
    expect(paths).toEqual(['environments.0', 'environments.2']);
    const chosen = ['production', 'missing', 'development'].map((name) => ({ name }));
    const strange = await create({ name: 'shop', environments: ['production'], changeRequestEnvironments: chosen });
    expect(strange).toMatchObject({
      status: 404,
      body: { details: [1, 2].map((index) => ({ path: `changeRequestEnvironments.${index}.name` })) },
    });
  });

  test('copies environments correctly while they change', async () => {
    const staging = await world.environment();
    await Promise.all([
      create({ id: 'shop', name: 'Shop', environments: [staging] }),
      ...[1, 2, 3].map((sortOrder) => service.put(`/api/admin/environments/update/${staging}`, { sortOrder })),
    ]);
    const feature = await world.feature({ project: 'shop', environment: staging });
    const { body } = await service.get(`/api/admin/projects/shop/features/${feature.name}`);
    const { sortOrder } = (await readEnvironments(service))[staging];
    expect(body.environments).toMatchObject([{ name: staging, sortOrder }]);
  });
});

specify('validateProject', {
  route: 'POST /api/admin/projects/validate',
  ...openTo('Editor', 'CREATE_PROJECT'),
  request: (world) => ({ body: { id: world.name('project') } }),
  required: ['id'],
});

const path = '/api/admin/projects/validate';

const service = sharedService(readSeed({ projects: [{ id: 'taken' }] }));

const validate = (id: unknown) => service.post(path, { id });

describe('An id for a project', () => {
  test.each(['default', 'taken'])('that is in use is a 400 that says so: %s', async (id) => {
    const { status, body } = await validate(id);
    expect([status, body.name]).toEqual([400, 'ValidationError']);
    expect(body.details).toMatchObject([{ path: 'id', message: expect.stringContaining(id) }]);
  });

  // test/lib/values/primitives.test.ts has all that can be a name.
  test.each(["A-Z_a.z~0!9*'()", '...', 'p'.repeat(100), 'Default', 'validate'])(
    'may be %s, which is a 200 without a body',
    async (id) => {
      expect(await writesNothing(service, () => validate(id))).toMatchObject({ status: 200, text: '' });
    },
  );

  test.each(['', '..', '*', 'archive', 'a b', 'a%20b', '世界', 'p'.repeat(101)])('cannot be %j: 400', async (id) => {
    expect(await validate(id)).toMatchObject({ status: 400, body: { details: [{ path: 'id' }] } });
  });
});

specify('updateProject', {
  route: 'PUT /api/admin/projects/{projectId}',
  ...openTo('Owner', 'UPDATE_PROJECT'),
  request: async (world) => ({
    params: { projectId: await world.project() },
    body: { name: 'Shop', description: 'What sells', mode: 'private', defaultStickiness: 'userId', featureLimit: 5 },
  }),
  required: ['name'],
  nullable: ['description', 'featureLimit'],
  // The list of private projects is read again after a project has become one.
  waits: 3,
});

describe('Changing a project', () => {
  let id: string;
  const { service, world } = worldForEach();
  beforeEach(async () => {
    id = await world.project();
  });
  const update = (body: object) => service.put(`/api/admin/projects/${id}`, body);
  const overview = async () => (await service.get(`/api/admin/projects/${id}/overview`)).body;

  test('changes the given properties only', async () => {
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
    await update({ name: 'Shop', description: 'What sells', mode: 'protected' });
    expect(await overview()).toMatchObject({ description: 'What sells', mode: 'protected', featureLimit: 5 });
    await update({ name: 'Shop', description: null, featureLimit: null });
    expect(await overview()).not.toHaveProperty('description');
    expect(await overview()).toMatchObject({ featureLimit: null });
  });

  test('to a limit refuses further features, new, cloned, imported and revived, but not archived ones', async () => {
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
