import { contextField, contextFieldInput } from '../../lib/context-fields/context-field-schema.ts';
import { createContextField } from '../../lib/context-fields/context-fields.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'POST /api/admin/projects/{projectId}/context',
  group: 'Context',
  summary: 'Creates a context field of a project. Names are unique across projects.',
  permission: ['CREATE_CONTEXT_FIELD', 'UPDATE_PROJECT_CONTEXT'],
  body: contextFieldInput,
  responses: { 201: contextField },
  etag: true,
  errors: [409],
}).handle(
  ({ request, caller, params, body }) => createContextField(request, caller, body, params.projectId),
  ({ name }, { params }) => ({ headers: { location: `/api/admin/projects/${params.projectId}/context/${name}` } }),
);
