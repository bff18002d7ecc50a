import { assertLegalValues } from '../../lib/context-fields/legal-values.ts';
import { constraintInput } from '../../lib/features/strategies/constraint-input-schema.ts';
import { endpointsOf } from '../../lib/http/endpoint.ts';

const endpoint = endpointsOf('Features');

export const validateConstraint = endpoint({
  route: 'POST /api/admin/constraints/validate',
  summary: 'Checks whether a constraint is valid for a strategy.',
  description:
    'The reply is 400, with all problems, if it is not, for example if a value is not legal for the context field. Nothing is stored.',
  rights: 'read',
  body: constraintInput,
  responses: { 204: null },
}).handle(({ request, body }) => assertLegalValues(request, body));
