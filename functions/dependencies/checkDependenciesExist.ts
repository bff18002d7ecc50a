import * as v from 'valibot';
import { hasDependencies } from '../../lib/features/dependencies/parent-options.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'GET /api/admin/projects/{projectId}/dependencies',
  group: 'Dependencies',
  summary: 'Tells whether any feature of a project depends on another one.',
  responses: { 200: v.boolean() },
}).handle(({ request, params }) => hasDependencies(request, params.projectId));
