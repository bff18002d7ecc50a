import { contextFieldUpdateAnywhere } from '../../lib/context-fields/context-field-schema.ts';
import { updateContextField } from '../../lib/context-fields/context-fields.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'PUT /api/admin/context/{contextField}',
  group: 'Context',
  summary:
    'Updates a context field: its description, legal values, stickiness, sort order and project. Omitted legal values and stickiness are emptied.',
  permission: 'UPDATE_CONTEXT_FIELD',
  body: contextFieldUpdateAnywhere,
  responses: { 200: null },
  etag: true,
}).handle(
  ({ request, caller, params, body }) => updateContextField(request, caller, params, body),
  () => ({}),
);
