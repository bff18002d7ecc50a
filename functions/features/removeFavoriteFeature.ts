import { setFavorite } from '../../lib/features/favorites.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'DELETE /api/admin/projects/{projectId}/features/{featureName}/favorites',
  group: 'Features',
  summary: 'Removes a feature from the favorites of the caller.',
  permission: 'NONE',
  responses: { 200: null },
}).handle(async ({ request, caller, params }) => {
  await setFavorite(request, caller, params, false);
});
