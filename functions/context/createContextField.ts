import { createContextField } from '../../lib/context-fields/context-fields.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { contextField, contextFieldInput } from '../../lib/schemas/context-field.ts';

export const handler = endpoint({
  method: 'POST',
  path: '/api/admin/context',
  group: 'Context',
  summary: 'Creates a context field, on which constraints and stickiness can rest.',
  permission: 'CREATE_CONTEXT_FIELD',
  body: contextFieldInput,
  responses: { 201: contextField },
  etag: true,
  errors: [409],
}).handle(
  ({ table, caller, body }) => createContextField(table, caller, body),
  ({ name }) => ({ headers: { location: `/api/admin/context/${name}` } }),
);
