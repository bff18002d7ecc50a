import { endpoint } from '../../lib/http/endpoint.ts';
import { applicationInput, applicationParams } from '../../lib/usage/applications/application-schema.ts';
import { describeApplication } from '../../lib/usage/applications/applications.ts';

export const handler = endpoint({
  method: 'POST',
  path: '/api/admin/metrics/applications/{appName}',
  group: 'Metrics',
  summary: 'Says something of an application, which need not have reported yet.',
  description: 'What is left out stays as it is. Strategies that its SDKs report take precedence.',
  permission: 'UPDATE_APPLICATION',
  params: applicationParams,
  freeText: ['appName'],
  body: applicationInput,
  responses: { 202: null },
  etag: true,
  errors: [404],
}).handle(({ request, caller, params, body }) => describeApplication(request, caller, params.appName, body));
