import { expect } from 'vitest';
import { serviceEvents } from '../../harness/service-events.ts';
import { openTo, specify, test } from '../../specifications/specify.ts';

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

test('A context field of a project says so, and is in the list of that project alone', async ({ service, world }) => {
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
  expect((await serviceEvents(service.table)).at(-1)).toMatchObject({
    type: 'context-field-created',
    project: projectId,
    data: { name: 'shelf', project: projectId },
  });
});

test('A name is taken for all projects: constraints name a field without its project', async ({ service, world }) => {
  const { contextField: name } = await world.projectContextField();
  for (const path of ['/api/admin/projects/default/context', '/api/admin/context']) {
    expect((await service.post(path, { name })).status).toBe(409);
  }
  expect((await service.post('/api/admin/projects/nowhere/context', { name: 'free' })).status).toBe(404);
});
