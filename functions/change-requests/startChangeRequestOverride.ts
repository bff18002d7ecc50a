import { overrideInput, shownOverride } from '../../lib/change-requests/change-request-schema.ts';
import { startOverride } from '../../lib/change-requests/override.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'POST /api/admin/projects/{projectId}/environments/{environment}/change-requests/override',
  group: 'Change requests',
  summary: 'Lets the caller change an environment without approval for some minutes, in an emergency.',
  description:
    'It begins at once, or after the `overrideDelayMinutes` of the environment, in which others may end it. Its `id` is ' +
    'that of a change request that lists what is changed under it, and that somebody else has to review afterwards.',
  permission: 'APPROVE_CHANGE_REQUEST',
  body: overrideInput,
  responses: { 201: shownOverride },
}).handle(({ request, caller, params, body }) => startOverride(request, caller, params, body));
