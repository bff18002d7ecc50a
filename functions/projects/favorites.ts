import { endpointsOf } from '../../lib/http/endpoint.ts';
import { setFavoriteProject } from '../../lib/projects/favorites.ts';

const endpoint = endpointsOf('Features');

export const addFavoriteProject = endpoint({
  route: 'POST /api/admin/projects/{projectId}/favorites',
  summary: 'Adds a project to the favorites of the caller.',
  description: "Favorites are the caller's alone. Nothing happens if it is one already.",
  permission: 'NONE',
  responses: { 200: null },
}).handle(({ request, caller, params }) => setFavoriteProject(request, caller, params.projectId, true));

export const removeFavoriteProject = endpoint({
  route: 'DELETE /api/admin/projects/{projectId}/favorites',
  summary: 'Removes a project from the favorites of the caller.',
  description: "Favorites are the caller's alone. Nothing happens if it is none.",
  permission: 'NONE',
  responses: { 200: null },
}).handle(({ request, caller, params }) => setFavoriteProject(request, caller, params.projectId, false));
