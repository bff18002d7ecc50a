import { assertLegalValues } from '../../lib/context-fields/legal-values.ts';
import { constraintInput } from '../../lib/features/strategies/constraint-schema.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'POST /api/admin/constraints/validate',
  group: 'Features',
  summary: 'Checks whether a strategy can have a constraint.',
  rights: 'read',
  body: constraintInput,
  responses: { 204: null },
}).handle(({ request, body }) => assertLegalValues(request, body));
