import * as v from 'valibot';
import { environmentOfProject } from '../../lib/environments/environment-schema.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { listEnvironmentsOfProject } from '../../lib/insights/projects/environment-list.ts';
import { object } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'GET /api/admin/environments/project/{projectId}',
  group: 'Environments',
  summary: 'Lists all environments, and marks those of a project.',
  responses: { 200: object({ version: v.literal(1), environments: v.array(environmentOfProject) }) },
}).handle(async ({ request, params }) => ({
  version: 1,
  environments: await listEnvironmentsOfProject(request, params.projectId),
}));
