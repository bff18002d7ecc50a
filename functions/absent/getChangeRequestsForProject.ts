import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { loadProject } from '../../lib/projects/projects.ts';

export const handler = endpoint({
  method: 'GET',
  path: '/api/admin/projects/{projectId}/change-requests',
  group: 'Unavailable',
  summary: 'Returns the change requests of a project; there are none.',
  responses: { 200: v.array(v.looseObject({})) },
  errors: [404],
}).handle(async ({ request, params }) => {
  await loadProject(request, params.projectId);
  return [];
});
