import { endpoint } from '../../lib/http/endpoint.ts';
import { applicationInput, applicationParams } from '../../lib/usage/applications/application-schema.ts';
import { describeApplication } from '../../lib/usage/applications/applications.ts';

export const handler = endpoint({
  route: 'POST /api/admin/metrics/applications/{appName}',
  group: 'Metrics',
  summary: 'Creates or updates the description of an application, which need not have reported yet.',
  description: 'Omitted fields stay as they are. Strategies that its SDKs report take precedence.',
  permission: 'UPDATE_APPLICATION',
  params: applicationParams,
  freeText: ['appName'],
  body: applicationInput,
  responses: { 202: null },
  etag: true,
}).handle(({ request, caller, params, body }) => describeApplication(request, caller, params.appName, body));
