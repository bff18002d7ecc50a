import { contextField } from '../../lib/context-fields/context-field-schema.ts';
import { loadContextField } from '../../lib/context-fields/context-fields.ts';
import { allInOrder } from '../../lib/entity/all-in-order.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { loadProject } from '../../lib/projects/projects.ts';

export const handler = endpoint({
  route: 'GET /api/admin/projects/{projectId}/context/{contextField}',
  group: 'Context',
  summary: 'Returns a context field of a project, or of the whole service.',
  responses: { 200: contextField },
  etag: true,
}).handle(async ({ request, params }) => {
  const [, field] = await allInOrder([loadProject(request, params.projectId), loadContextField(request, params)]);
  return field;
});
