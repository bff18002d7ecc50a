import { removeContextField } from '../../lib/context-fields/context-fields.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'DELETE /api/admin/context/{contextField}',
  group: 'Context',
  summary: 'Deletes a context field that no segment and no strategy of a live feature uses.',
  permission: 'DELETE_CONTEXT_FIELD',
  responses: { 200: null },
  etag: 'checked',
  errors: [404, 409],
}).handle(({ request, caller, params }) => removeContextField(request, caller, params));
