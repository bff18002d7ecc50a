import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { changeRequestConfigOf } from '../../lib/projects/change-request-config.ts';
import { environmentChangeRequests } from '../../lib/projects/project-schema.ts';
import { loadProject } from '../../lib/projects/projects.ts';

export const handler = endpoint({
  route: 'GET /api/admin/projects/{projectId}/change-requests/config',
  group: 'Projects',
  summary: 'Lists the environments of a project, with the approval that changes need in each.',
  responses: { 200: v.array(environmentChangeRequests) },
}).handle(async ({ request, params }) => changeRequestConfigOf(await loadProject(request, params.projectId)));
