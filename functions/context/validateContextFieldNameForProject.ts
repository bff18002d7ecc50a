import { contextFieldName } from '../../lib/context-fields/context-field-schema.ts';
import { contextFields } from '../../lib/context-fields/context-fields.ts';
import { allInOrder } from '../../lib/entity/all-in-order.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { loadProject } from '../../lib/projects/projects.ts';

export const handler = endpoint({
  route: 'POST /api/admin/projects/{projectId}/context/validate',
  group: 'Context',
  summary: 'Checks whether a context field of a project can be created with a name.',
  permission: ['CREATE_CONTEXT_FIELD', 'UPDATE_CONTEXT_FIELD', 'UPDATE_PROJECT_CONTEXT'],
  rights: 'read',
  body: contextFieldName,
  responses: { 200: null },
  errors: [409],
}).handle(async ({ request, params, body }) => {
  await allInOrder([loadProject(request, params.projectId), contextFields.requireFreeName(request, body.name)]);
});
