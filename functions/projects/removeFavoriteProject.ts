import { endpoint } from '../../lib/http/endpoint.ts';
import { setFavoriteProject } from '../../lib/projects/favorites.ts';

export const handler = endpoint({
  route: 'DELETE /api/admin/projects/{projectId}/favorites',
  group: 'Features',
  summary: 'Removes a project from the favorites of the caller.',
  permission: 'NONE',
  responses: { 200: null },
}).handle(({ request, caller, params }) => setFavoriteProject(request, caller, params.projectId, false));
