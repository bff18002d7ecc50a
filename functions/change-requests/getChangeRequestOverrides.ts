import * as v from 'valibot';
import { shownOverride } from '../../lib/change-requests/change-request-schema.ts';
import { listOverrides } from '../../lib/change-requests/override.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'GET /api/admin/projects/{projectId}/environments/{environment}/change-requests/override',
  group: 'Change requests',
  summary: 'Lists the overrides of an environment that are under way or to begin.',
  permission: 'NONE',
  responses: { 200: v.array(shownOverride) },
}).handle(({ request, params }) => listOverrides(request, params));
