import { removeLegalValue } from '../../lib/context-fields/context-fields.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'DELETE /api/admin/context/{contextField}/legal-values/{legalValue}',
  group: 'Context',
  summary: 'Removes a legal value from a context field. Strategies that use it keep it.',
  permission: 'UPDATE_CONTEXT_FIELD',
  freeText: ['legalValue'],
  responses: { 200: null },
  etag: true,
}).handle(
  ({ request, caller, params }) => removeLegalValue(request, caller, params),
  () => ({}),
);
