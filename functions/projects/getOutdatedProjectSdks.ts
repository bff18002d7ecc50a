import { endpoint } from '../../lib/http/endpoint.ts';
import { outdatedSdks } from '../../lib/usage/applications/application-schema.ts';
import { listOutdatedSdks } from '../../lib/usage/applications/outdated-sdks.ts';

export const handler = endpoint({
  route: 'GET /api/admin/projects/{projectId}/sdks/outdated',
  group: 'Projects',
  summary: 'Lists outdated SDKs of the applications that use features of a project.',
  responses: { 200: outdatedSdks },
}).handle(async ({ request, params }) => ({ sdks: await listOutdatedSdks(request, params.projectId) }));
