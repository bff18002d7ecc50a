import { beforeEach, describe, expect } from 'vitest';
import { readSeed } from '../../../lib/imports/seed/seed-data.ts';
import { problemPaths } from '../../harness/features.ts';
import { freshService } from '../../harness/service.ts';
import { openTo, specify, test, worldForEach } from '../../specifications/specify.ts';

const legalValues = [{ value: 'CH', description: 'Switzerland' }, { value: 'NZ' }];

specify('createContextField', {
  route: 'POST /api/admin/context',
  ...openTo('Editor', 'CREATE_CONTEXT_FIELD'),
  request: (world) => ({
    body: {
      ...{ name: world.name('field'), description: 'Where from', stickiness: true, sortOrder: 7, legalValues },
      project: world.home.projectId,
    },
  }),
  required: ['name', 'legalValues.0.value'],
  nullable: ['description', 'legalValues.0.description', 'project'],
  again: 409,
});

describe('Creating a context field', () => {
  const { service, world } = worldForEach();
  const create = (body: object) => service.post('/api/admin/context', body);

  test('returns it with defaults', async () => {
    const answer = await create({ name: 'country' });
    expect(answer).toMatchObject({ status: 201, headers: { location: '/api/admin/context/country' } });
    const { createdAt, ...data } = answer.body;
    expect(data).toEqual({ name: 'country', description: null, stickiness: false, sortOrder: 10, legalValues: [] });
    expect(Date.parse(createdAt)).toBeGreaterThan(Date.now() - 60_000);
  });

  test('restricts strategies to its legal values', async () => {
    await create({ name: 'country', legalValues });
    const strategy = (value: string) => ({
      name: 'default',
      constraints: [{ contextName: 'country', operator: 'IN', values: [value] }],
    });
    const feature = await world.feature();
    expect(await world.strategy(feature, strategy('CH'))).toEqual(expect.any(String));
    await expect(world.strategy(feature, strategy('DE'))).rejects.toThrow('400');
  });

  test('makes a field of a project, which must exist', async () => {
    expect((await create({ name: 'country', project: 'default' })).body).toMatchObject({ project: 'default' });
    expect(await service.get('/api/admin/projects/default/context/country')).toMatchObject({ status: 200 });
    expect((await create({ name: 'region', project: null })).body).not.toHaveProperty('project');
    expect(await create({ name: 'city', project: 'nowhere' })).toMatchObject({ status: 404 });
    expect(await service.get('/api/admin/context/city')).toMatchObject({ status: 404 });
  });

  test('is refused with all problems', async () => {
    const values = (...list: string[]) => list.map((value) => ({ value }));
    const answer = await create({ name: 'a b', description: 'x'.repeat(251), legalValues: values('CH', 'CH') });
    expect(problemPaths(answer)).toEqual(['description', 'legalValues', 'name']);
    const long = await create({ name: 'country', legalValues: values('', 'x'.repeat(101), 'y'.repeat(100)) });
    expect(problemPaths(long)).toEqual(['legalValues.0.value', 'legalValues.1.value']);
  });
});

specify('updateContextField', {
  route: 'PUT /api/admin/context/{contextField}',
  ...openTo('Editor', 'UPDATE_CONTEXT_FIELD'),
  request: async (world) => ({
    params: { contextField: await world.contextField() },
    body: { description: 'Where from', stickiness: true, sortOrder: 7, legalValues, project: world.home.projectId },
  }),
  required: ['legalValues.0.value'],
  nullable: ['description', 'legalValues.0.description', 'project'],
  differs: 'keeps the sort order that is left out',
});

describe('Updating a context field', () => {
  let path: string;
  const { service, world } = worldForEach();
  beforeEach(async () => {
    path = `/api/admin/context/${await world.contextField({ description: 'As it was', sortOrder: 5 })}`;
  });

  test('changes the given properties, resets omitted legal values and stickiness as Unleash does, and keeps the others', async () => {
    const before = (await service.get(path)).body;
    expect(await service.put(path, { legalValues })).toMatchObject({ status: 200, text: '' });
    expect((await service.get(path)).body).toEqual({ ...before, legalValues });
    await service.put(path, { description: null, stickiness: true });
    expect((await service.get(path)).body).toEqual({ ...before, description: null, stickiness: true });
    await service.put(path, {});
    expect((await service.get(path)).body).toEqual({ ...before, description: null });
  });

  test('moves it to a project and back', async () => {
    const shown = async () => (await service.get(path)).body;
    const before = await shown();
    expect(await service.put(path, { project: 'nowhere' })).toMatchObject({ status: 404 });
    expect(await service.put(path, { project: 'default' })).toMatchObject({ status: 200 });
    expect(await shown()).toEqual({ ...before, project: 'default' });
    expect(await service.put(path, { sortOrder: 6 })).toMatchObject({ status: 200 });
    expect(await shown()).toEqual({ ...before, sortOrder: 6, project: 'default' });
    expect(await service.put(path, { project: null })).toMatchObject({ status: 200 });
    expect(await shown()).toEqual({ ...before, sortOrder: 6 });
  });
});

specify('deleteContextField', {
  route: 'DELETE /api/admin/context/{contextField}',
  ...openTo('Editor', 'DELETE_CONTEXT_FIELD'),
  request: async (world) => ({ params: { contextField: await world.contextField() } }),
  again: 404,
  // The projects are asked for first, and then for what the strategies of their features compare.
  waits: 3,
});

describe('Deleting a context field', () => {
  const { service, world } = worldForEach();
  const remove = (name: string) => service.call('DELETE', `/api/admin/context/${name}`);
  const constraint = (contextName: string) => ({ contextName, operator: 'IN', values: ['CH'] });

  test('is refused while strategies, also disabled ones, or segments compare it, and names them', async () => {
    const name = await world.contextField();
    const feature = await world.feature();
    const strategy = await world.strategy(feature, {
      name: 'default',
      disabled: true,
      constraints: [constraint(name)],
    });
    const segment = await world.segment({ constraints: [constraint(name)] });
    await world.feature({ strategies: [{ name: 'default', constraints: [constraint('userId')] }] });
    const answer = await remove(name);
    expect(answer).toMatchObject({ status: 409, body: { name: 'InUseError' } });
    expect(answer.body.message).toContain(
      `the feature "${feature.name}" in "development", the segment "${segment.id}"`,
    );

    await world.ask('DELETE', `/api/admin/segments/${segment.id}`);
    const { projectId, featureName, environment } = feature.place;
    const path = `/api/admin/projects/${projectId}/features/${featureName}/environments/${environment}/strategies`;
    await world.ask('DELETE', `${path}/${strategy}`);
    expect((await remove(name)).status).toBe(200);
  });
});

specify('getContextFields', {
  route: 'GET /api/admin/context',
  may: 'any token',
  request: () => ({ query: { include: 'project' } }),
  // The projects are asked for first, and then for what their features use.
  waits: 2,
});

test("The built-in context fields have Unleash's descriptions", async () => {
  const { body } = await (await freshService()).get('/api/admin/context');
  expect(body.map(({ name, description }: Record<string, string>) => `${name}: ${description}`)).toEqual([
    'appName: Allows you to constrain on application name',
    'currentTime: Allows you to constrain on date values',
    'environment: Allows you to constrain on application environment',
    'sessionId: Allows you to constrain on sessionId',
    'userId: Allows you to constrain on userId',
  ]);
});

test('All context fields are listed by name, with the built-in ones', async () => {
  const legalValues = [{ value: 'CH', description: 'Switzerland' }, { value: 'NZ' }];
  const service = await freshService(readSeed({ contextFields: [{ name: 'country', legalValues }] }));
  const { body } = await service.get('/api/admin/context');
  expect(body.map(({ name, sortOrder, stickiness }: Record<string, unknown>) => [name, sortOrder, stickiness])).toEqual(
    [
      ['appName', 2, false],
      ['country', 10, false],
      ['currentTime', 3, false],
      ['environment', 0, false],
      ['sessionId', 4, true],
      ['userId', 1, false],
    ],
  );
  expect(body[1]).toEqual({
    name: 'country',
    description: null,
    stickiness: false,
    sortOrder: 10,
    createdAt: expect.any(String),
    legalValues,
    usedInFeatures: 0,
    usedInProjects: 0,
  });
});

test('A context field shows the numbers of live features that compare it and of their projects', async ({
  service,
  world,
}) => {
  const strategy = {
    name: 'default',
    disabled: true,
    constraints: [{ contextName: 'userId', operator: 'IN', values: ['7'] }],
  };
  await world.feature({ strategies: [strategy, strategy] });
  await world.feature({ strategies: [strategy], project: await world.project() });
  await world.feature({ strategies: [strategy], archived: true });
  const { body } = await service.get('/api/admin/context');
  expect(body.find(({ name }: { name: string }) => name === 'userId')).toMatchObject({
    usedInFeatures: 2,
    usedInProjects: 2,
  });
});
