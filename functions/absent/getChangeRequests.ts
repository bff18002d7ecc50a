import * as v from 'valibot';
import { notFound } from '../../lib/errors.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { loadProject } from '../../lib/projects/projects.ts';
import { count, object } from '../../lib/values/primitives.ts';

const none = new Map<string, [] | { total: 0 }>([
  ['pending', []],
  ['scheduled', []],
  ['actionable', { total: 0 }],
]);

export const handler = endpoint({
  method: 'GET',
  path: '/api/admin/projects/{projectId}/change-requests/{which}',
  group: 'Unavailable',
  summary:
    'Returns the `pending` or `scheduled` change requests of a project, or the number of `actionable` ones; there are none.',
  responses: { 200: v.union([v.array(v.looseObject({})), object({ total: count })]) },
  errors: [404],
}).handle(async ({ request, params }) => {
  await loadProject(request, params.projectId);
  const reply = none.get(params.which);
  if (reply === undefined) throw notFound('change request', params.which);
  return reply;
});
