import { suspendSchedules } from '../../lib/change-requests/schedules/suspension.ts';
import { setFavorite } from '../../lib/features/favorites.ts';
import { endpointsOf } from '../../lib/http/endpoint.ts';

const flagChange = endpointsOf('Features', { effectsOf: suspendSchedules });

export const addFavoriteFeature = flagChange({
  route: 'POST /api/admin/projects/{projectId}/features/{featureName}/favorites',
  summary: "Adds a feature to the caller's favorites.",
  description: 'Only the caller sees them. Adding a favorite again has no effect.',
  permission: 'NONE',
  responses: { 200: null },
}).handle(async ({ request, caller, params }) => {
  await setFavorite(request, caller, params, true);
});

export const removeFavoriteFeature = flagChange({
  route: 'DELETE /api/admin/projects/{projectId}/features/{featureName}/favorites',
  summary: "Removes a feature from the caller's favorites.",
  description: 'It has no effect if the feature is not a favorite.',
  permission: 'NONE',
  responses: { 200: null },
}).handle(async ({ request, caller, params }) => {
  await setFavorite(request, caller, params, false);
});
