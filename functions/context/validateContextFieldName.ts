import { contextFieldName } from '../../lib/context-fields/context-field-schema.ts';
import { contextFields } from '../../lib/context-fields/context-fields.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'POST /api/admin/context/validate',
  group: 'Context',
  summary: 'Checks whether a context field can be created with a name.',
  permission: ['CREATE_CONTEXT_FIELD', 'UPDATE_CONTEXT_FIELD'],
  rights: 'read',
  body: contextFieldName,
  responses: { 200: null },
  errors: [409],
}).handle(({ request, body }) => contextFields.requireFreeName(request, body.name));
