import { removeContextField } from '../../lib/context-fields/context-fields.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'DELETE /api/admin/projects/{projectId}/context/{contextField}',
  group: 'Context',
  summary: 'Deletes a context field of a project that no segment and no strategy of a live feature uses.',
  permission: ['DELETE_CONTEXT_FIELD', 'UPDATE_PROJECT_CONTEXT'],
  responses: { 200: null },
  etag: 'checked',
  errors: [409],
}).handle(({ request, caller, params }) => removeContextField(request, caller, params));
