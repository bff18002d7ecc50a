import { setFavorite } from '../../lib/features/favorites.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'POST /api/admin/projects/{projectId}/features/{featureName}/favorites',
  group: 'Features',
  summary: 'Adds a feature to the favorites of the caller.',
  permission: 'NONE',
  responses: { 200: null },
}).handle(async ({ request, caller, params }) => {
  await setFavorite(request, caller, params, true);
});
