import { endpoint } from '../../lib/http/endpoint.ts';
import { loadLeadTime } from '../../lib/insights/projects/project-report.ts';
import * as schemas from '../../lib/projects/project-schema.ts';

export const handler = endpoint({
  route: 'GET /api/admin/projects/{projectId}/dora',
  group: 'Projects',
  summary: 'Returns the days that features of a project took from creation to production.',
  responses: { 200: schemas.leadTime },
}).handle(({ request, params }) => loadLeadTime(request, params.projectId));
