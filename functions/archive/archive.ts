import { suspendSchedules } from '../../lib/change-requests/schedules/suspension.ts';
import { archivedFeatures, archivePage } from '../../lib/features/archive-schema.ts';
import { featureNames } from '../../lib/features/feature-schema.ts';
import { listAllArchivedFeatures, listArchivedFeatures } from '../../lib/features/items/archive-store.ts';
import * as deletion from '../../lib/features/lifecycle/delete-feature.ts';
import * as revival from '../../lib/features/lifecycle/revive-feature.ts';
import { endpointsOf } from '../../lib/http/endpoint.ts';
import { linkToNext } from '../../lib/http/link.ts';

const endpoint = endpointsOf('Archive');
const flagChange = endpointsOf('Archive', { effectsOf: suspendSchedules });

export const deleteFeature = flagChange({
  route: 'DELETE /api/admin/archive/{featureName}',
  summary: 'Deletes an archived feature and everything that belongs to it, except its events.',
  description:
    'On AWS this path cannot delete a feature with the name `features`; use `POST /api/admin/projects/{projectId}/delete`.',
  permission: 'DELETE_FEATURE',
  // The permission is checked in the project of the feature.
  permissionBy: 'store',
  responses: { 200: null },
  etag: 'checked',
  errors: [404, 409],
}).handle(({ request, caller, params }) => deletion.deleteFeature(request, caller, params.featureName));

export const deleteFeatures = flagChange({
  route: 'POST /api/admin/projects/{projectId}/delete',
  summary: 'Deletes archived features and everything that belongs to them, except their events.',
  description:
    'They cannot be revived. The reply is 409 if other features depend on one of them, and 404 if one is not archived.',
  permission: 'DELETE_FEATURE',
  body: featureNames,
  // One call may write several items for each of hundreds of features.
  throttle: { ratePerSecond: 20, burst: 40 },
  responses: { 200: null },
  errors: [409],
}).handle(({ request, caller, params, body }) =>
  deletion.deleteFeatures(request, caller, params.projectId, body.features),
);

export const getArchivedFeatures = endpoint({
  route: 'GET /api/admin/archive/features',
  summary: 'Lists the archived features of all projects, latest first.',
  description: 'Paging works as in the archive of a project.',
  deprecated: true,
  // Favorites depend on the caller.
  permission: 'NONE',
  query: archivePage,
  // One call may read some thousand units of each project.
  throttle: { ratePerSecond: 5, burst: 10 },
  responses: { 200: archivedFeatures },
}).handle(
  ({ request, caller, query }) => listAllArchivedFeatures(request, caller, query),
  ({ features, next }, { query: { limit } }) => ({
    body: { version: 2, features },
    ...(next !== undefined && { headers: linkToNext('/api/admin/archive/features', { limit, before: next }) }),
  }),
);

export const getArchivedFeaturesByProjectId = endpoint({
  route: 'GET /api/admin/archive/features/{projectId}',
  summary: 'Lists the archived features of a project, latest first.',
  description:
    'A page has at most `limit` features, or fewer if the reply would become too large. `before` is a time, or a position in the list: the `archivedAt` and the name of a feature, separated by a comma. If there are more features, the `Link` header has the path of the next page.',
  deprecated: true,
  // Favorites depend on the caller.
  permission: 'NONE',
  query: archivePage,
  // One call may read some thousand units, if an archive is as large as a reply can be.
  throttle: { ratePerSecond: 20, burst: 40 },
  responses: { 200: archivedFeatures },
  // The list is empty for an unknown or hidden project.
  errors: [],
}).handle(
  ({ request, caller, params, query }) => listArchivedFeatures(request, caller, params.projectId, query),
  ({ features, next }, { params, query: { limit } }) => ({
    body: { version: 2, features },
    ...(next !== undefined && {
      headers: linkToNext(`/api/admin/archive/features/${encodeURIComponent(params.projectId)}`, {
        limit,
        before: next,
      }),
    }),
  }),
);

export const reviveFeature = flagChange({
  route: 'POST /api/admin/archive/revive/{featureName}',
  summary: 'Revives an archived feature, disabled in every environment.',
  description:
    'It keeps its strategies and variants, but has to be enabled again. The reply is 404 if its project is archived.',
  permission: 'UPDATE_FEATURE',
  // The permission is checked in the project of the feature.
  permissionBy: 'store',
  responses: { 200: null },
  etag: true,
}).handle(({ request, caller, params }) => revival.reviveFeature(request, caller, params.featureName));

export const reviveFeatures = flagChange({
  route: 'POST /api/admin/projects/{projectId}/revive',
  summary: 'Revives archived features, disabled in every environment.',
  description:
    'They keep their strategies and variants, but have to be enabled again. Features that are not archived do not change.',
  permission: 'UPDATE_FEATURE',
  body: featureNames,
  // One call may write several items for each of hundreds of features.
  throttle: { ratePerSecond: 20, burst: 40 },
  responses: { 200: null },
}).handle(({ request, caller, params, body }) =>
  revival.reviveFeatures(request, caller, params.projectId, body.features),
);
