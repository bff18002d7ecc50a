import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { listFlagCreators } from '../../lib/insights/projects/flag-creators.ts';
import { integer, object, text } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'GET /api/admin/projects/{projectId}/flag-creators',
  group: 'Projects',
  summary: 'Lists the users who have created features of a project.',
  responses: { 200: v.array(object({ id: integer, name: text })) },
}).handle(({ request, params }) => listFlagCreators(request, params.projectId));
