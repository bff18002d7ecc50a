import { contextField } from '../../lib/context-fields/context-field-schema.ts';
import { loadContextField } from '../../lib/context-fields/context-fields.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'GET /api/admin/context/{contextField}',
  group: 'Context',
  summary: 'Returns a context field.',
  responses: { 200: contextField },
  etag: true,
}).handle(({ request, params }) => loadContextField(request, params));
