import { endpoint } from '../../lib/http/endpoint.ts';
import { constraintInput } from '../../lib/schemas/constraint.ts';
import { assertLegalValues } from '../../lib/strategies/strategy-references.ts';

export const handler = endpoint({
  method: 'POST',
  path: '/api/admin/constraints/validate',
  group: 'Features',
  summary: 'Checks whether a strategy can have a constraint.',
  rights: 'read',
  body: constraintInput,
  responses: { 204: null },
}).handle(({ request, body }) => assertLegalValues(request, body));
