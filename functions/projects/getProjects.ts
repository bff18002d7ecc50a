import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { listProjects } from '../../lib/insights/projects/project-overview.ts';
import { listedProject } from '../../lib/projects/project-schema.ts';
import { object } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'GET /api/admin/projects',
  group: 'Projects',
  summary: 'Lists all projects with their numbers of features and members; with archived=true the archived ones.',
  // Which are favorites is a question of who asks.
  permission: 'NONE',
  query: object({ archived: v.exactOptional(v.picklist(['true', 'false'])) }),
  responses: { 200: object({ version: v.literal(1), projects: v.array(listedProject) }) },
}).handle(async ({ request, caller, query }) => ({
  version: 1,
  projects: await listProjects(request, caller, { archived: query.archived === 'true' }),
}));
