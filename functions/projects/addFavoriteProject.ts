import { endpoint } from '../../lib/http/endpoint.ts';
import { setFavoriteProject } from '../../lib/projects/favorites.ts';

export const handler = endpoint({
  route: 'POST /api/admin/projects/{projectId}/favorites',
  group: 'Features',
  summary: 'Adds a project to the favorites of the caller.',
  permission: 'NONE',
  responses: { 200: null },
}).handle(({ request, caller, params }) => setFavoriteProject(request, caller, params.projectId, true));
