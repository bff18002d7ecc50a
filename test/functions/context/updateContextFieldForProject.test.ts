import { expect } from 'vitest';
import { specify, test } from '../../specifications/specify.ts';

specify('updateContextFieldForProject', {
  route: 'PUT /api/admin/projects/{projectId}/context/{contextField}',
  may: ['Admin', 'Editor', 'Owner'],
  needs: ['UPDATE_CONTEXT_FIELD', 'UPDATE_PROJECT_CONTEXT'],
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

test('A project changes its own context fields, and no others', async ({ service, world }) => {
  const { projectId, contextField } = await world.projectContextField({ description: 'Before' });
  const path = (name: string) => `/api/admin/projects/${projectId}/context/${name}`;
  expect((await service.put(path(contextField), { sortOrder: 7 })).status).toBe(200);
  const { body } = await service.get(path(contextField));
  expect(body).toMatchObject({ description: 'Before', sortOrder: 7, project: projectId });
  const strange = world.name('field');
  await world.ask('POST', `/api/admin/projects/${await world.project()}/context`, { name: strange });
  for (const name of ['userId', strange]) expect((await service.put(path(name), { sortOrder: 7 })).status).toBe(404);
});
