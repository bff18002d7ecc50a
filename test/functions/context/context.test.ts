import { expect } from 'vitest';
import { openTo, sharedWorld, specify, test } from '../../specifications/specify.ts';

const { service, world } = sharedWorld();

specify('createContextFieldForProject', {
  route: 'POST /api/admin/projects/{projectId}/context',
  ...openTo('Owner', 'CREATE_CONTEXT_FIELD', 'UPDATE_PROJECT_CONTEXT'),
  request: async (world) => ({
    params: { projectId: await world.project() },
    body: {
      name: world.name('field'),
      description: 'Where from',
      stickiness: true,
      sortOrder: 7,
      legalValues: [{ value: 'CH', description: 'Switzerland' }],
    },
  }),
  required: ['name', 'legalValues.0.value'],
  nullable: ['description', 'legalValues.0.description'],
  again: 409,
});

test('A context field of a project is only in the list of that project', async ({ service, world }) => {
  const projectId = await world.project();
  const path = `/api/admin/projects/${projectId}/context`;
  const { status, headers, body } = await service.post(path, { name: 'shelf' });
  expect(status).toBe(201);
  expect(headers.location).toBe(`${path}/shelf`);
  expect(body).toMatchObject({ name: 'shelf', project: projectId, description: null, sortOrder: 10, legalValues: [] });
  const names = async (target: string) => (await service.get(target)).body.map(({ name }: { name: string }) => name);
  expect(await names(path)).toEqual(['shelf']);
  expect(await names(`${path}?include=root`)).toContain('userId');
  expect(await names('/api/admin/context')).not.toContain('shelf');
  expect(await names('/api/admin/context?include=project')).toContain('shelf');
  expect(await names('/api/admin/projects/default/context?include=root')).not.toContain('shelf');
});

test('A name is unique among all projects, since constraints do not name the project of a field', async ({
  service,
  world,
}) => {
  const { contextField: name } = await world.projectContextField();
  for (const path of ['/api/admin/projects/default/context', '/api/admin/context']) {
    expect((await service.post(path, { name })).status).toBe(409);
  }
  expect((await service.post('/api/admin/projects/nowhere/context', { name: 'free' })).status).toBe(404);
});

specify('deleteContextFieldForProject', {
  route: 'DELETE /api/admin/projects/{projectId}/context/{contextField}',
  ...openTo('Owner', 'DELETE_CONTEXT_FIELD', 'UPDATE_PROJECT_CONTEXT'),
  request: async (world) => ({ params: await world.projectContextField() }),
  again: 404,
  // The projects are asked for first, and then for what the strategies of their features compare.
  waits: 3,
  differs: '404 for a context field that is not of the project, which Unleash deletes',
});

// The suite of stories has what comes of each.
test.each([
  ['deletes', (path: string) => service.call('DELETE', path)],
  ['changes', (path: string) => service.put(path, { sortOrder: 7 })],
  ['adds legal values to', (path: string) => service.post(`${path}/legal-values`, { value: 'CH' })],
  ['takes legal values from', (path: string) => service.call('DELETE', `${path}/legal-values/CH`)],
])('A project %s its own context fields, and no others', async (_what, send) => {
  const { projectId, contextField } = await world.projectContextField({ legalValues: [{ value: 'CH' }] });
  const strange = world.name('field');
  await world.ask('POST', `/api/admin/projects/${await world.project()}/context`, { name: strange });
  const statuses = ['userId', strange, contextField].map(async (name) =>
    send(`/api/admin/projects/${projectId}/context/${name}`).then(({ status }) => status),
  );
  expect(await Promise.all(statuses)).toEqual([404, 404, 200]);
});

test('A project can delete its context field despite a constraint of another project', async ({ service, world }) => {
  const { projectId, contextField: contextName } = await world.projectContextField();
  const constraints = [{ contextName, operator: 'IN', values: ['a'] }];
  const strategyIn = async (project: string) => {
    const { place } = await world.feature({ project });
    const target = `/api/admin/projects/${project}/features/${place.featureName}/environments/${place.environment}/strategies`;
    const { status, body } = await service.post(target, { name: 'default', constraints });
    expect(status).toBe(200);
    return `${target}/${body.id}`;
  };
  await strategyIn('default');
  const own = await strategyIn(projectId);
  const remove = () => service.call('DELETE', `/api/admin/projects/${projectId}/context/${contextName}`);
  expect((await remove()).status).toBe(409);
  expect((await service.call('DELETE', own)).status).toBe(200);
  expect((await remove()).status).toBe(200);
});

specify('deleteContextFieldLegalValue', {
  route: 'DELETE /api/admin/context/{contextField}/legal-values/{legalValue}',
  ...openTo('Editor', 'UPDATE_CONTEXT_FIELD'),
  request: async (world) => {
    const legalValue = world.name('value');
    return { params: { contextField: await world.contextField({ legalValues: [{ value: legalValue }] }), legalValue } };
  },
  takesAnyName: ['legalValue'],
});

test('A legal value of any characters is removed; an unknown one is no error', async ({ service, world }) => {
  const legalValues = [{ value: 'a/b & c?#ü 50%' }, { value: 'CH' }];
  const path = `/api/admin/context/${await world.contextField({ legalValues })}`;
  for (const value of ['a/b & c?#ü 50%', 'missing']) {
    const answer = await service.call('DELETE', `${path}/legal-values/${encodeURIComponent(value)}`);
    expect(answer).toMatchObject({ status: 200, text: '' });
  }
  expect((await service.get(path)).body.legalValues).toEqual([{ value: 'CH' }]);
});

specify('deleteContextFieldLegalValueForProject', {
  route: 'DELETE /api/admin/projects/{projectId}/context/{contextField}/legal-values/{legalValue}',
  ...openTo('Owner', 'UPDATE_CONTEXT_FIELD', 'UPDATE_PROJECT_CONTEXT'),
  request: async (world) => ({
    params: { ...(await world.projectContextField({ legalValues: [{ value: 'CH' }] })), legalValue: 'CH' },
  }),
  takesAnyName: ['legalValue'],
  differs: '404 for a context field that is not of the project, which Unleash changes',
});

specify('getContextField', {
  route: 'GET /api/admin/context/{contextField}',
  may: 'any token',
  request: async (world) => ({
    params: { contextField: await world.contextField({ legalValues: [{ value: 'CH' }] }) },
  }),
});

test('A context field has the same properties alone and in the list', async ({ service }) => {
  const fields = (await service.get('/api/admin/context')).body;
  for (const { usedInFeatures: _features, usedInProjects: _projects, ...field } of fields) {
    expect((await service.get(`/api/admin/context/${field.name}`)).body).toEqual(field);
  }
});

specify('getContextFieldForProject', {
  route: 'GET /api/admin/projects/{projectId}/context/{contextField}',
  may: 'any token',
  request: async (world) => ({ params: await world.projectContextField() }),
});

test('A project sees its own context fields and those of the service', async ({ service, world }) => {
  const { projectId, contextField } = await world.projectContextField();
  const read = (path: string) => service.get(`/api/admin${path}`);
  expect((await read(`/projects/${projectId}/context/${contextField}`)).body).toMatchObject({ project: projectId });
  expect((await read(`/projects/${projectId}/context/userId`)).body).toMatchObject({ name: 'userId' });
  expect((await read(`/context/${contextField}`)).body).toMatchObject({ project: projectId });
  expect((await read(`/projects/default/context/${contextField}`)).status).toBe(404);
});

specify('getContextFieldsForProject', {
  route: 'GET /api/admin/projects/{projectId}/context',
  may: 'any token',
  request: async (world) => ({ params: await world.projectContextField(), query: { include: 'root' } }),
  // The projects are asked for first, and then for what their features use.
  waits: 2,
});

test('The context fields of a project are listed, on request with those of the service', async ({ service, world }) => {
  const { projectId, contextField } = await world.projectContextField();
  const listed = async (query: string) => (await service.get(`/api/admin/projects/${projectId}/context${query}`)).body;
  const own = [expect.objectContaining({ name: contextField, project: projectId, usedInFeatures: 0 })];
  expect(await listed('')).toEqual(own);
  const root = (await service.get('/api/admin/context')).body;
  expect(await listed('?include=root')).toEqual(expect.arrayContaining([...own, ...root]));
});

specify('getStrategiesByContextField', {
  route: 'GET /api/admin/context/{contextField}/strategies',
  may: 'any token',
  request: async (world) => ({ params: { contextField: await world.comparedField() } }),
  takesAnyName: ['contextField'],
  // The projects, what their features compare, and the strategies of those that compare it.
  waits: 3,
});

test('Strategies that compare a context field are listed, disabled ones included', async ({ service, world }) => {
  const name = await world.comparedField({ disabled: true });
  const list = async (field: string) => (await service.get(`/api/admin/context/${field}/strategies`)).body;
  expect(await list(name)).toEqual({
    strategies: [
      {
        id: expect.any(String),
        featureName: 'feature-1',
        projectId: 'default',
        environment: 'development',
        strategyName: 'default',
      },
    ],
  });
  expect(await list('userId')).toEqual({ strategies: [] });
});

specify('getStrategiesByContextFieldForProject', {
  route: 'GET /api/admin/projects/{projectId}/context/{contextField}/strategies',
  may: 'any token',
  request: async (world) => ({ params: { ...world.home, contextField: await world.comparedField() } }),
  takesAnyName: ['contextField'],
  // The projects, what their features compare, and the strategies of those that compare it.
  waits: 3,
});

test('Strategies of any project that compare a context field are listed for each', async ({ service, world }) => {
  const name = await world.comparedField({ disabled: true });
  const [ofProject, ofAll] = await Promise.all([
    service.get(`/api/admin/projects/default/context/${name}/strategies`),
    service.get(`/api/admin/context/${name}/strategies`),
  ]);
  expect(ofProject.body.strategies).toHaveLength(1);
  expect(ofProject.body).toEqual(ofAll.body);
});

specify('updateContextFieldForProject', {
  route: 'PUT /api/admin/projects/{projectId}/context/{contextField}',
  ...openTo('Owner', 'UPDATE_CONTEXT_FIELD', 'UPDATE_PROJECT_CONTEXT'),
  request: async (world) => ({
    params: await world.projectContextField(),
    body: {
      description: 'Where from',
      stickiness: true,
      sortOrder: 7,
      legalValues: [{ value: 'CH', description: 'Switzerland' }],
    },
  }),
  required: ['legalValues.0.value'],
  nullable: ['description', 'legalValues.0.description'],
  differs: '404 for a context field that is not of the project, which Unleash changes',
});

specify('updateContextFieldLegalValue', {
  route: 'POST /api/admin/context/{contextField}/legal-values',
  ...openTo('Editor', 'UPDATE_CONTEXT_FIELD'),
  request: async (world) => ({
    params: { contextField: await world.contextField() },
    body: { value: 'CH', description: 'Switzerland' },
  }),
  required: ['value'],
  nullable: ['description'],
});

test('A legal value is added at the end, or replaced in its place', async ({ service, world }) => {
  const path = `/api/admin/context/${await world.contextField()}`;
  const values = async () => (await service.get(path)).body.legalValues;
  for (const value of ['CH', 'NZ']) expect((await service.post(`${path}/legal-values`, { value })).status).toBe(200);
  expect(await values()).toEqual([{ value: 'CH' }, { value: 'NZ' }]);
  await service.post(`${path}/legal-values`, { value: 'CH', description: 'Switzerland' });
  expect(await values()).toEqual([{ value: 'CH', description: 'Switzerland' }, { value: 'NZ' }]);
});

specify('updateContextFieldLegalValueForProject', {
  route: 'POST /api/admin/projects/{projectId}/context/{contextField}/legal-values',
  ...openTo('Owner', 'UPDATE_CONTEXT_FIELD', 'UPDATE_PROJECT_CONTEXT'),
  request: async (world) => ({
    params: await world.projectContextField(),
    body: { value: 'CH', description: 'Switzerland' },
  }),
  required: ['value'],
  nullable: ['description'],
  differs: '404 for a context field that is not of the project, which Unleash changes',
});

specify('validateContextFieldName', {
  route: 'POST /api/admin/context/validate',
  ...openTo('Editor', 'CREATE_CONTEXT_FIELD', 'UPDATE_CONTEXT_FIELD'),
  request: (world) => ({ body: { name: world.name('field') } }),
  required: ['name'],
});

test('The name of a context field is a 409 if it is in use, and a 400 if it is invalid', async ({ service }) => {
  const validate = async (name: string) => (await service.post('/api/admin/context/validate', { name })).status;
  expect(await Promise.all(['userId', 'a b', 'country'].map(validate))).toEqual([409, 400, 200]);
});

specify('validateContextFieldNameForProject', {
  route: 'POST /api/admin/projects/{projectId}/context/validate',
  ...openTo('Owner', 'CREATE_CONTEXT_FIELD', 'UPDATE_CONTEXT_FIELD', 'UPDATE_PROJECT_CONTEXT'),
  request: async (world) => ({ params: { projectId: await world.project() }, body: { name: world.name('field') } }),
  required: ['name'],
});

test('The name of a context field must be free among all projects', async ({ service, world }) => {
  const { contextField } = await world.projectContextField();
  const validate = async (name: string) =>
    (await service.post('/api/admin/projects/default/context/validate', { name })).status;
  expect(await Promise.all([contextField, 'userId', 'country'].map(validate))).toEqual([409, 409, 200]);
});
