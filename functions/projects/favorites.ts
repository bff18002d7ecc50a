import { endpointsOf } from '../../lib/http/endpoint.ts';
import { setFavoriteProject } from '../../lib/projects/favorites.ts';

const endpoint = endpointsOf('Features');

export const addFavoriteProject = endpoint({
  route: 'POST /api/admin/projects/{projectId}/favorites',
  summary: "Adds a project to the caller's favorites.",
  description: 'Only the caller sees them. Adding a favorite again has no effect.',
  permission: 'NONE',
  responses: { 200: null },
}).handle(({ request, caller, params }) => setFavoriteProject(request, caller, params.projectId, true));

export const removeFavoriteProject = endpoint({
  route: 'DELETE /api/admin/projects/{projectId}/favorites',
  summary: "Removes a project from the caller's favorites.",
  description: 'It has no effect if the project is not a favorite.',
  permission: 'NONE',
  responses: { 200: null },
}).handle(({ request, caller, params }) => setFavoriteProject(request, caller, params.projectId, false));
