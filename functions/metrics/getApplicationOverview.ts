import { endpoint } from '../../lib/http/endpoint.ts';
import { loadApplicationOverview } from '../../lib/usage/applications/application-overview.ts';
import * as schemas from '../../lib/usage/applications/application-schema.ts';

export const handler = endpoint({
  route: 'GET /api/admin/metrics/applications/{appName}/overview',
  group: 'Metrics',
  summary: 'Returns the environments, SDKs and features of an application, and the issues with them.',
  description: 'Instances are those of the last 24 hours, features those of the last 48.',
  freeText: ['appName'],
  responses: { 200: schemas.applicationOverview },
}).handle(({ request, params }) => loadApplicationOverview(request, params.appName));
