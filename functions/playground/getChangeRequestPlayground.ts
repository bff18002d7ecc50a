import { changeRequestPlaygroundPath } from '../../lib/change-requests/change-request-schema.ts';
import { evaluateChangeRequest } from '../../lib/change-requests/views/evaluate.ts';
import * as schemas from '../../lib/delivery/playground-schema.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'POST /api/admin/playground/change-request/{id}',
  group: 'Playground',
  summary: 'Evaluates the features that a change request changes, as it would leave them, and explains the results.',
  permission: 'NONE',
  rights: 'read',
  params: changeRequestPlaygroundPath,
  body: schemas.changeRequestPlaygroundRequest,
  throttle: { ratePerSecond: 5, burst: 10 },
  responses: { 200: schemas.advancedPlayground },
}).handle(({ request, caller, params, body }) => evaluateChangeRequest(request, caller, params.id, body.context));
