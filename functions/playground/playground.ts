import { changeRequestPlaygroundPath } from '../../lib/change-requests/change-request-schema.ts';
import { evaluateChangeRequest } from '../../lib/change-requests/views/evaluate.ts';
import { evaluateFor, evaluateForMany } from '../../lib/delivery/playground.ts';
import * as schemas from '../../lib/delivery/playground-schema.ts';
import { endpointsOf } from '../../lib/http/endpoint.ts';

const endpoint = endpointsOf('Playground');

export const getAdvancedPlayground = endpoint({
  route: 'POST /api/admin/playground/advanced',
  summary: 'Evaluates features in several environments for several contexts, and explains the results.',
  description:
    'A context value may be a comma-separated list. Features are evaluated for all combinations, with at most 15,000 evaluations. `milestones` names milestones of release plans that are evaluated as if they were active.',
  rights: 'read',
  body: schemas.advancedPlaygroundRequest,
  throttle: { ratePerSecond: 5, burst: 10 },
  responses: { 200: schemas.advancedPlayground },
}).handle(({ request, body }) => evaluateForMany(request, body));

export const getChangeRequestPlayground = endpoint({
  route: 'POST /api/admin/playground/change-request/{id}',
  summary: 'Evaluates the changed features of a change request as if it were applied, and explains the results.',
  description:
    'The body is a context. Its values may be lists; the reply is 400 if that means too many evaluations. Nothing is applied.',
  permission: 'NONE',
  rights: 'read',
  params: changeRequestPlaygroundPath,
  body: schemas.changeRequestPlaygroundRequest,
  throttle: { ratePerSecond: 5, burst: 10 },
  responses: { 200: schemas.advancedPlayground },
}).handle(({ request, caller, params, body }) => evaluateChangeRequest(request, caller, params.id, body.context));

export const getPlayground = endpoint({
  route: 'POST /api/admin/playground',
  summary: 'Evaluates features for a context in an environment, and explains the results.',
  description:
    'Use `POST /api/admin/playground/advanced` instead, which accepts several environments and lists of values.',
  deprecated: true,
  rights: 'read',
  body: schemas.playgroundRequest,
  throttle: { ratePerSecond: 5, burst: 10 },
  responses: { 200: schemas.playground },
}).handle(({ request, body }) => evaluateFor(request, body));
