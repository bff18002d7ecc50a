import { expect } from 'vitest';
import { specify, test } from '../../specifications/specify.ts';

specify('updateContextFieldLegalValueForProject', {
  route: 'POST /api/admin/projects/{projectId}/context/{contextField}/legal-values',
  may: ['Admin', 'Editor', 'Owner'],
  needs: ['UPDATE_CONTEXT_FIELD', 'UPDATE_PROJECT_CONTEXT'],
  request: async (world) => ({
    params: await world.projectContextField(),
    body: { value: 'CH', description: 'Switzerland' },
  }),
  required: ['value'],
  nullable: ['description'],
  differs: '404 for a context field that is not of the project, which Unleash changes',
});

test('A project adds legal values to its own context fields, and to no others', async ({ service, world }) => {
  const { projectId, contextField } = await world.projectContextField();
  const path = (name: string) => `/api/admin/projects/${projectId}/context/${name}`;
  expect((await service.post(`${path(contextField)}/legal-values`, { value: 'CH' })).status).toBe(200);
  expect((await service.get(path(contextField))).body.legalValues).toEqual([{ value: 'CH' }]);
  expect((await service.post(`${path('userId')}/legal-values`, { value: 'CH' })).status).toBe(404);
});
