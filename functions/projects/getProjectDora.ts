import { endpoint } from '../../lib/http/endpoint.ts';
import { leadTime } from '../../lib/projects/overviews/project-report.ts';
import * as schemas from '../../lib/projects/project-schema.ts';

export const handler = endpoint({
  method: 'GET',
  path: '/api/admin/projects/{projectId}/dora',
  group: 'Projects',
  summary: 'Returns how many days the releases of a project took to be switched on in production.',
  responses: { 200: schemas.leadTime },
  errors: [404],
}).handle(({ request, params }) => leadTime(request, params.projectId));
