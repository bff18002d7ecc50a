import { legalValueInput } from '../../lib/context-fields/context-field-schema.ts';
import { setLegalValue } from '../../lib/context-fields/context-fields.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'POST /api/admin/context/{contextField}/legal-values',
  group: 'Context',
  summary: 'Adds a legal value to a context field, or replaces its description.',
  permission: 'UPDATE_CONTEXT_FIELD',
  body: legalValueInput,
  responses: { 200: null },
  etag: true,
}).handle(
  ({ request, caller, params, body }) => setLegalValue(request, caller, params, body),
  () => ({}),
);
