import { listOutdatedSdks } from '../../lib/applications/outdated-sdks.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { outdatedSdks } from '../../lib/schemas/application.ts';

export const handler = endpoint({
  method: 'GET',
  path: '/api/admin/projects/{projectId}/sdks/outdated',
  group: 'Projects',
  summary: 'Lists outdated SDKs of the applications that use features of a project.',
  responses: { 200: outdatedSdks },
  errors: [404],
}).handle(async ({ request, params }) => ({ sdks: await listOutdatedSdks(request, params.projectId) }));
