import { describe, expect } from 'vitest';
import { newTokenOf, paths } from '../../harness/features.ts';
import { betweenReadAndWrite } from '../../harness/store-requests.ts';
import type { MadeFeature } from '../../harness/world.ts';
import { openTo, serviceForEach, specify, test, worldForEach } from '../../specifications/specify.ts';

const constraints = [
  { contextName: 'country', operator: 'IN', caseInsensitive: false, inverted: true, values: ['CH', 'NZ'], value: 'CH' },
];

specify('createSegment', {
  route: 'POST /api/admin/segments',
  ...openTo('Owner', 'CREATE_SEGMENT', 'UPDATE_PROJECT_SEGMENT'),
  request: (world) => ({
    body: { name: world.name('segment'), description: 'Some countries', project: world.home.projectId, constraints },
    project: world.home.projectId,
  }),
  required: ['name', 'constraints', 'constraints.0.contextName', 'constraints.0.operator'],
  needed: ['constraints.0.values'],
  nullable: ['description', 'project'],
  again: 409,
});

describe('Creating a segment', () => {
  const service = serviceForEach();
  const create = (body: object) => service.post('/api/admin/segments', body);

  test('makes a segment of all projects if the project is empty', async () => {
    const answer = await create({ name: 'swiss', project: '', constraints: [] });
    expect(answer).toMatchObject({ status: 201, body: { project: null, description: '' } });
  });

  test('in an unknown project is a 404', async () => {
    expect(await create({ name: 'other', project: 'nowhere', constraints: [] })).toMatchObject({ status: 404 });
  });

  test('takes only legal values of a context field, also in updates', async () => {
    await service.post('/api/admin/context', { name: 'plan', legalValues: [{ value: 'gold' }, { value: 'old' }] });
    const segmentWith = (...values: string[]) => ({
      name: 'payers',
      constraints: [{ contextName: 'plan', operator: 'IN', values }],
    });
    const refused = { status: 400, body: { details: [{ path: 'constraints.0' }] } };
    expect(await create(segmentWith('gold', 'tin'))).toMatchObject(refused);
    const { body } = await create(segmentWith('gold', 'old'));
    await service.put('/api/admin/context/plan', { legalValues: [{ value: 'gold' }] });
    const update = (values: object) => service.put(`/api/admin/segments/${body.id}`, values);
    expect((await update({ ...segmentWith('gold', 'old'), description: 'Who pays' })).status).toBe(204);
    expect(await update(segmentWith('old'))).toMatchObject(refused);
  });

  test('takes at most 1,000 values', async () => {
    const values = (count: number) => Array.from({ length: count }, (_, index) => `u-${index}`);
    const segmentWith = (...counts: number[]) => ({
      name: `of-${counts.join('-')}`,
      constraints: counts.map((count) => ({ contextName: 'userId', operator: 'IN', values: values(count) })),
    });
    expect((await create(segmentWith(600, 400))).status).toBe(201);
    expect(await create(segmentWith(600, 401))).toMatchObject({
      status: 400,
      body: { details: [{ path: 'constraints', message: 'A segment has at most 1000 values.' }] },
    });
  });
});

specify('updateSegment', {
  route: 'PUT /api/admin/segments/{id}',
  ...openTo('Owner', 'UPDATE_SEGMENT', 'UPDATE_PROJECT_SEGMENT'),
  request: async (world) => ({
    params: { id: (await world.segment({ project: world.home.projectId })).id },
    body: { name: world.name('segment'), description: 'Some countries', project: world.home.projectId, constraints },
    project: world.home.projectId,
  }),
  required: ['name', 'constraints', 'constraints.0.contextName', 'constraints.0.operator'],
  needed: ['constraints.0.values'],
  nullable: ['description', 'project'],
  again: 'nothing',
});

describe('Updating a segment', () => {
  const { service, world } = worldForEach();
  const update = (id: number, body: object) => service.put(`/api/admin/segments/${id}`, body);

  test('replaces everything except its id, its creation and an omitted description', async () => {
    const { id } = await world.segment({ description: 'Before' });
    const before = (await service.get(`/api/admin/segments/${id}`)).body;
    expect((await update(id, { name: 'after', constraints })).status).toBe(204);
    const { body } = await service.get(`/api/admin/segments/${id}`);
    expect(body).toEqual({ ...before, name: 'after', constraints });
    await update(id, { name: 'after', description: null, constraints });
    expect((await service.get(`/api/admin/segments/${id}`)).body.description).toBe('');
  });
});

test('A user with the permission in a project can change its segments, but cannot move any into or out of it', async ({
  service,
  world,
}) => {
  const [own, other] = [await world.project(), await world.project()];
  const role = await world.role({ permissions: [{ name: 'UPDATE_PROJECT_SEGMENT' }] });
  const token = await world.tokenOfRole(3, [{ project: own, roles: [role] }]);
  const [ofOwn, ofOther, ofAll] = await Promise.all([own, other, null].map((project) => world.segment({ project })));
  const call = (method: string, id: number | undefined, body?: object) =>
    service.call(method, `/api/admin/segments/${id}`, { token, ...(body && { body }) });
  const inProject = (project: string | null) => ({ name: world.name('segment'), project, constraints: [] });

  expect((await call('PUT', ofOwn?.id, inProject(own))).status).toBe(204);
  for (const project of [other, null]) {
    expect((await call('PUT', ofOwn?.id, inProject(project))).status).toBe(403);
    expect((await service.post('/api/admin/segments', inProject(project), { token })).status).toBe(403);
  }
  for (const id of [ofOther?.id, ofAll?.id, 999]) {
    expect((await call('PUT', id, inProject(own))).status).toBe(403);
    expect((await call('DELETE', id)).status).toBe(403);
  }
  expect((await call('DELETE', ofOwn?.id)).status).toBe(204);
});

test('A segment of a project is not used in other projects, even by concurrent changes', async ({ service, world }) => {
  const [own, other] = [await world.project(), await world.project()];
  const strategy = (id: number) => ({ name: 'flexibleRollout', segments: [id] });
  const feature = (project: string) => world.feature({ project });
  const uses: [number, (id: number) => Promise<() => Promise<{ status: number }>>][] = [
    [
      400,
      async (id) => {
        const { name } = await feature(other);
        const path = `${paths.feature(name, other)}/environments/development/strategies`;
        return () => service.post(path, strategy(id));
      },
    ],
    [
      400,
      async (id) => () =>
        service.post(`/api/admin/projects/${other}/environments/development/default-strategy`, strategy(id)),
    ],
    [
      409,
      async (id) => {
        const made = await feature(own);
        await world.strategy(made, strategy(id));
        return () => service.post(`${paths.feature(made.name, own)}/changeProject`, { newProjectId: other });
      },
    ],
  ];
  for (const [status, prepare] of uses) {
    const { id, name } = await world.segment();
    const use = await prepare(id);
    const give = () => world.ask('PUT', `/api/admin/segments/${id}`, { name, constraints: [], project: own });
    expect(await betweenReadAndWrite(service.table, give, use)).toMatchObject({ status });
  }
});

specify('getSegment', {
  route: 'GET /api/admin/segments/{id}',
  may: 'any token',
  request: async (world) => ({ params: { id: (await world.segment()).id } }),
});

specify('getSegmentsByStrategyId', {
  route: 'GET /api/admin/segments/strategies/{strategyId}',
  may: 'any token',
  request: async (world) => {
    const { id } = await world.segment();
    return { params: { strategyId: await world.strategy(await world.feature(), { name: 'default', segments: [id] }) } };
  },
  takesAnyName: ['strategyId'],
  // The projects, what their features use, the strategies of those that use segments, and these segments.
  waits: 4,
});

test('The segments of a strategy of any feature are listed', async ({ service, world }) => {
  const [one, other] = [await world.segment(), await world.segment()];
  const feature = await world.feature();
  await world.strategy(feature, { name: 'default', segments: [one.id] });
  const id = await world.strategy(feature, { name: 'default', segments: [other.id, one.id] });
  const list = async (strategyId: string) => (await service.get(`/api/admin/segments/strategies/${strategyId}`)).body;
  expect(await list(id)).toMatchObject({ segments: [{ id: other.id }, { id: one.id }] });
  expect(await list('unknown')).toEqual({ segments: [] });
});

specify('removeSegment', {
  route: 'DELETE /api/admin/segments/{id}',
  ...openTo('Owner', 'DELETE_SEGMENT', 'UPDATE_PROJECT_SEGMENT'),
  request: async (world) => ({
    params: { id: (await world.segment({ project: world.home.projectId })).id },
    project: world.home.projectId,
  }),
  again: 404,
});

test('A segment cannot be deleted while a default strategy uses it', async ({ service, world }) => {
  const [segment, other] = [await world.segment(), await world.segment()];
  const path = '/api/admin/projects/default/environments/development/default-strategy';
  const set = (segments: number[]) => world.ask('POST', path, { name: 'flexibleRollout', segments });
  await set([segment.id]);
  const remove = () => service.call('DELETE', `/api/admin/segments/${segment.id}`);
  expect(await remove()).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('the default strategy of the project "default" in "development"') },
  });
  expect((await service.get(`/api/admin/segments/${segment.id}/strategies`)).body.strategies).toEqual([]);
  await set([other.id]);
  expect((await remove()).status).toBe(204);
  expect((await service.call('DELETE', `/api/admin/segments/${other.id}`)).status).toBe(409);
});

specify('validateSegment', {
  route: 'POST /api/admin/segments/validate',
  ...openTo('Owner', 'CREATE_SEGMENT', 'UPDATE_SEGMENT', 'UPDATE_PROJECT_SEGMENT'),
  request: (world) => ({ body: { name: world.name('segment') } }),
  required: ['name'],
});

test('The name of a segment must not be in use', async ({ service, world }) => {
  const { name } = await world.segment();
  expect(await service.post('/api/admin/segments/validate', { name })).toMatchObject({
    status: 409,
    body: { name: 'NameExistsError' },
  });
});

specify('updateFeatureStrategySegments', {
  route: 'POST /api/admin/segments/strategies',
  ...openTo('Member', 'UPDATE_FEATURE_STRATEGY'),
  request: async (world) => ({
    body: {
      projectId: world.home.projectId,
      environmentId: world.home.environment,
      strategyId: await world.strategy(await world.feature()),
      segmentIds: [(await world.shared('segment', () => world.segment())).id],
    },
    project: world.home.projectId,
  }),
  required: ['projectId', 'environmentId', 'strategyId', 'segmentIds'],
  // It reads the features of the project, the strategies of those that have some, and the feature itself, and writes the change.
  waits: 4,
  differs: '404 for a strategy that the project does not have in the environment; the event that Unleash leaves out',
});

test('The segments of a strategy are replaced', async ({ service, world }) => {
  const [one, other] = [await world.segment(), await world.segment()];
  const feature = await world.feature();
  const strategyId = await world.strategy(feature, { name: 'default', segments: [one.id] });
  const { projectId, environment: environmentId } = feature.place;
  const place = { projectId, environmentId, strategyId };
  const set = (body: object) => service.post('/api/admin/segments/strategies', { ...place, ...body });

  const body = { ...place, segmentIds: [other.id] };
  expect(await set(body)).toMatchObject({ status: 201, body });
  expect((await service.call('DELETE', `/api/admin/segments/${one.id}`)).status).toBe(204);
  expect((await service.call('DELETE', `/api/admin/segments/${other.id}`)).status).toBe(409);

  expect((await set({ segmentIds: [1_000_000] })).status).toBe(404);
  expect((await set({ segmentIds: [], environmentId: 'production' })).status).toBe(404);
  expect((await set({ segmentIds: [], projectId: 'nowhere' })).status).toBe(404);
  const token = await newTokenOf(service, { username: 'viewer' });
  const refused = await service.post('/api/admin/segments/strategies', { ...place, segmentIds: [] }, { token });
  expect(refused.status).toBe(403);
});

specify('getSegments', {
  route: 'GET /api/admin/segments',
  may: 'any token',
  given: (world) => world.segment(),
  // The projects are asked for first, and then for what their features use.
  waits: 2,
});

test('Segments are listed by name, with all their properties', async ({ service, world }) => {
  const last = await world.segment({ name: 'z' });
  const first = await world.segment({
    name: 'first',
    description: 'Swiss',
    constraints: [{ contextName: 'country', operator: 'IN', values: ['CH'] }],
  });
  const { body } = await service.get('/api/admin/segments');
  expect(body.segments).toEqual([
    {
      ...first,
      name: 'first',
      description: 'Swiss',
      project: null,
      createdAt: expect.any(String),
      createdBy: expect.any(String),
      constraints: [{ contextName: 'country', operator: 'IN', values: ['CH'] }],
      usedInFeatures: 0,
      usedInProjects: 0,
    },
    expect.objectContaining({ ...last, name: 'z' }),
  ]);
});

test('A segment shows the numbers of live features that use it and of their projects', async ({ service, world }) => {
  const [used, unused] = [await world.segment(), await world.segment()];
  const use = (feature: MadeFeature, disabled = false) =>
    world.strategy(feature, { name: 'default', segments: [used.id], disabled });
  const feature = await world.feature();
  await use(feature);
  await use(feature, true);
  await use({ ...feature, place: { ...feature.place, environment: 'production' } });
  await use(await world.feature());
  await use(await world.feature({ project: await world.project() }));
  const archived = await world.feature();
  await use(archived);
  await world.ask('DELETE', `/api/admin/projects/default/features/${archived.name}`);
  expect((await service.get('/api/admin/segments')).body.segments).toMatchObject([
    { id: used.id, usedInFeatures: 3, usedInProjects: 2 },
    { id: unused.id, usedInFeatures: 0, usedInProjects: 0 },
  ]);
});

specify('getStrategiesBySegmentId', {
  route: 'GET /api/admin/segments/{id}/strategies',
  may: 'any token',
  request: async (world) => {
    const { id } = await world.segment();
    await world.strategy(await world.feature(), { name: 'default', segments: [id] });
    return { params: { id } };
  },
  // It reads the users of the segment first, and then which of them are archived.
  waits: 2,
});

test('A segment shows the strategies that use it, and can be deleted after the last of them', async ({
  service,
  world,
}) => {
  const segment = await world.segment();
  const feature = await world.feature({ on: true });
  const id = await world.strategy(feature, { name: 'default', segments: [segment.id] });
  const path = `/api/admin/segments/${segment.id}`;
  expect((await service.get(`${path}/strategies`)).body).toEqual({
    strategies: [
      { id, featureName: feature.name, projectId: 'default', environment: 'development', strategyName: 'default' },
    ],
    changeRequestStrategies: [],
  });
  expect(await service.call('DELETE', path)).toMatchObject({
    status: 409,
    body: {
      name: 'InUseError',
      message: `The segment "${segment.name}" is in use: the feature "${feature.name}" in "development".`,
    },
  });
  // A segment of another project could not be used here any more.
  const shop = await world.project();
  expect((await service.put(path, { name: segment.name, project: shop, constraints: [] })).status).toBe(409);
  expect((await service.put(path, { name: segment.name, project: 'default', constraints: [] })).status).toBe(204);
  const { projectId, featureName, environment } = feature.place;
  await service.call(
    'DELETE',
    `/api/admin/projects/${projectId}/features/${featureName}/environments/${environment}/strategies/${id}`,
  );
  expect((await service.get(`${path}/strategies`)).body.strategies).toEqual([]);
  expect((await service.call('DELETE', path)).status).toBe(204);
});
