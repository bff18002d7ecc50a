import { contextField, contextFieldInputAnywhere } from '../../lib/context-fields/context-field-schema.ts';
import { createContextField } from '../../lib/context-fields/context-fields.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'POST /api/admin/context',
  group: 'Context',
  summary: 'Creates a context field for constraints and stickiness, for all projects or for one.',
  permission: 'CREATE_CONTEXT_FIELD',
  body: contextFieldInputAnywhere,
  responses: { 201: contextField },
  etag: true,
  errors: [404, 409],
}).handle(
  ({ request, caller, body }) => createContextField(request, caller, body, body.project ?? undefined),
  ({ name }) => ({ headers: { location: `/api/admin/context/${name}` } }),
);
