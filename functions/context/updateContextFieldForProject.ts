import { contextFieldUpdate } from '../../lib/context-fields/context-field-schema.ts';
import { updateContextField } from '../../lib/context-fields/context-fields.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'PUT /api/admin/projects/{projectId}/context/{contextField}',
  group: 'Context',
  summary: 'Updates a context field of a project. Omitted legal values and stickiness are emptied.',
  permission: ['UPDATE_CONTEXT_FIELD', 'UPDATE_PROJECT_CONTEXT'],
  body: contextFieldUpdate,
  responses: { 200: null },
  etag: true,
}).handle(
  ({ request, caller, params, body }) => updateContextField(request, caller, params, body),
  () => ({}),
);
