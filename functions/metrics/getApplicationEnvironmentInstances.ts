import { endpoint } from '../../lib/http/endpoint.ts';
import { applicationInstances } from '../../lib/usage/applications/application-schema.ts';
import { listKnownInstances } from '../../lib/usage/applications/applications.ts';

export const handler = endpoint({
  route: 'GET /api/admin/metrics/instances/{appName}/environment/{environment}',
  group: 'Metrics',
  summary: 'Lists the instances of an application that have reported from an environment within a day.',
  freeText: ['appName'],
  responses: { 200: applicationInstances },
  errors: [],
}).handle(async ({ request, params: { appName, environment } }) => ({
  instances: (await listKnownInstances(request, appName, environment)).map(
    ({ environment: _environment, sdkType: _sdkType, ...instance }) => instance,
  ),
}));
