import { endpoint } from '../../lib/http/endpoint.ts';
import { deleteApplication } from '../../lib/usage/applications/applications.ts';

export const handler = endpoint({
  route: 'DELETE /api/admin/metrics/applications/{appName}',
  group: 'Metrics',
  summary: 'Deletes an application until it reports again.',
  description: 'An application that still runs is back within an hour.',
  permission: 'UPDATE_APPLICATION',
  freeText: ['appName'],
  responses: { 200: null },
  errors: [],
  etag: 'checked',
}).handle(({ request, caller, params }) => deleteApplication(request, caller, params.appName));
