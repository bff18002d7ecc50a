import { describe, expect, test } from 'vitest';
import { problemPaths } from '../../harness/features.ts';
import { serviceEvents } from '../../harness/service-events.ts';
import { World } from '../../harness/world.ts';
import { openTo, serviceForEach, specify } from '../../specifications/specify.ts';

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
  const service = serviceForEach();
  const create = (body: object) => service.post('/api/admin/context', body);

  test('answers it with every field and where it is, and records it', async () => {
    const answer = await create({ name: 'country' });
    expect(answer).toMatchObject({ status: 201, headers: { location: '/api/admin/context/country' } });
    const { createdAt, ...data } = answer.body;
    expect(data).toEqual({ name: 'country', description: null, stickiness: false, sortOrder: 10, legalValues: [] });
    expect(Date.parse(createdAt)).toBeGreaterThan(Date.now() - 60_000);
    expect((await serviceEvents(service.table)).at(-1)).toMatchObject({ type: 'context-field-created', data });
  });

  test('holds strategies to its legal values from then on', async () => {
    await create({ name: 'country', legalValues });
    const world = new World(service);
    const strategy = (value: string) => ({
      name: 'default',
      constraints: [{ contextName: 'country', operator: 'IN', values: [value] }],
    });
    const feature = await world.feature();
    expect(await world.strategy(feature, strategy('CH'))).toEqual(expect.any(String));
    await expect(world.strategy(feature, strategy('DE'))).rejects.toThrow('400');
  });

  test('for one project makes it a field of that one, and of an unknown one is a 404', async () => {
    expect((await create({ name: 'country', project: 'default' })).body).toMatchObject({ project: 'default' });
    expect(await service.get('/api/admin/projects/default/context/country')).toMatchObject({ status: 200 });
    expect((await create({ name: 'region', project: null })).body).not.toHaveProperty('project');
    expect(await create({ name: 'city', project: 'nowhere' })).toMatchObject({ status: 404 });
    expect(await service.get('/api/admin/context/city')).toMatchObject({ status: 404 });
  });

  test('names all that is wrong with it', async () => {
    const values = (...list: string[]) => list.map((value) => ({ value }));
    const answer = await create({ name: 'a b', description: 'x'.repeat(251), legalValues: values('CH', 'CH') });
    expect(problemPaths(answer)).toEqual(['description', 'legalValues', 'name']);
    const long = await create({ name: 'country', legalValues: values('', 'x'.repeat(101), 'y'.repeat(100)) });
    expect(problemPaths(long)).toEqual(['legalValues.0.value', 'legalValues.1.value']);
  });
});
