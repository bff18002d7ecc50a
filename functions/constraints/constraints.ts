import { assertLegalValues } from '../../lib/context-fields/legal-values.ts';
import { constraintInput } from '../../lib/features/strategies/constraint-input-schema.ts';
import { endpointsOf } from '../../lib/http/endpoint.ts';

const endpoint = endpointsOf('Features');

export const validateConstraint = endpoint({
  route: 'POST /api/admin/constraints/validate',
  summary: 'Checks whether a strategy can have a constraint.',
  description:
    'A 400 names what is wrong, including values that are not among the legal values of the context field. Nothing is stored.',
  rights: 'read',
  body: constraintInput,
  responses: { 204: null },
}).handle(({ request, body }) => assertLegalValues(request, body));
