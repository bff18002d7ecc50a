import { describe, expect, test } from 'vitest';
import { serviceEvents } from '../../harness/service-events.ts';
import { openTo, serviceForEach, specify } from '../../specifications/specify.ts';

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

  test('answers it with its id and where it is, and records it', async () => {
    const { status, headers, body } = await create({ name: 'swiss', project: 'default', constraints });
    expect(status).toBe(201);
    expect(headers.location).toBe(`/api/admin/segments/${body.id}`);
    expect(body).toMatchObject({ id: 1, name: 'swiss', description: '', project: 'default', constraints });
    expect((await serviceEvents(service.table)).at(-1)).toMatchObject({
      type: 'segment-created',
      project: 'default',
      data: { id: 1, name: 'swiss', project: 'default', constraints },
    });
  });

  test('is one of all projects where it names the empty one', async () => {
    const { status, body } = await create({ name: 'swiss', project: '', constraints: [] });
    expect([status, body.project]).toEqual([201, null]);
  });

  test('of an unknown project is a 404', async () => {
    expect(await create({ name: 'other', project: 'nowhere', constraints: [] })).toMatchObject({ status: 404 });
  });

  test('compares a context field with legal values of it alone, however the segment comes to do so', async () => {
    await service.post('/api/admin/context', { name: 'plan', legalValues: [{ value: 'gold' }, { value: 'old' }] });
    const of = (...values: string[]) => ({
      name: 'payers',
      constraints: [{ contextName: 'plan', operator: 'IN', values }],
    });
    const refused = { status: 400, body: { details: [{ path: 'constraints.0' }] } };
    expect(await create(of('gold', 'tin'))).toMatchObject(refused);
    const { body } = await create(of('gold', 'old'));
    await service.put('/api/admin/context/plan', { legalValues: [{ value: 'gold' }] });
    const update = (values: object) => service.put(`/api/admin/segments/${body.id}`, values);
    expect((await update({ ...of('gold', 'old'), description: 'Who pays' })).status).toBe(204);
    expect(await update(of('old'))).toMatchObject(refused);
  });

  test('holds 1,000 values and no more', async () => {
    const values = (count: number) => Array.from({ length: count }, (_, index) => `u-${index}`);
    const of = (...counts: number[]) => ({
      name: `of-${counts.join('-')}`,
      constraints: counts.map((count) => ({ contextName: 'userId', operator: 'IN', values: values(count) })),
    });
    expect((await create(of(600, 400))).status).toBe(201);
    expect(await create(of(600, 401))).toMatchObject({
      status: 400,
      body: { details: [{ path: 'constraints', message: 'A segment has at most 1000 values.' }] },
    });
  });
});
