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
  summary: 'Deletes an archived feature with everything that belongs to it, except its events.',
  description:
    'A deployed API takes `features` in the place of the name for the list of all archived features; a feature of that name ' +
    'is deleted by `POST /api/admin/projects/{projectId}/delete`.',
  permission: 'DELETE_FEATURE',
  // The project in which it must hold is that of the feature.
  permissionBy: 'store',
  responses: { 200: null },
  etag: 'checked',
  errors: [404, 409],
}).handle(({ request, caller, params }) => deletion.deleteFeature(request, caller, params.featureName));

export const deleteFeatures = flagChange({
  route: 'POST /api/admin/projects/{projectId}/delete',
  summary: 'Deletes archived features with everything that belongs to them, except their events.',
  description: 'They cannot be revived. A feature on which others depend is a 409; one that is not archived is a 404.',
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
  description: 'Pages work as in the archive of a project.',
  deprecated: true,
  // Which are favorites is a question of who asks.
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
    'At most `limit` of them, as many as fit into an answer, and only those archived `before` a time, or after a place ' +
    'in the list, which is the `archivedAt` and the name of a feature with a comma between. Where there are more, the ' +
    '`Link` header has the path of the next page.',
  deprecated: true,
  // Which are favorites is a question of who asks.
  permission: 'NONE',
  query: archivePage,
  // One call may read some thousand units, where an archive is as large as an answer can be.
  throttle: { ratePerSecond: 20, burst: 40 },
  responses: { 200: archivedFeatures },
  // An unknown or hidden project has none.
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
    'It keeps its strategies and variants. Enable it again where it is wanted. A feature of an archived project is a 404.',
  permission: 'UPDATE_FEATURE',
  // The project in which it must hold is that of the feature.
  permissionBy: 'store',
  responses: { 200: null },
  etag: true,
}).handle(({ request, caller, params }) => revival.reviveFeature(request, caller, params.featureName));

export const reviveFeatures = flagChange({
  route: 'POST /api/admin/projects/{projectId}/revive',
  summary: 'Revives archived features, disabled in every environment.',
  description: 'They keep their strategies and variants. Those that are live stay as they are.',
  permission: 'UPDATE_FEATURE',
  body: featureNames,
  // One call may write several items for each of hundreds of features.
  throttle: { ratePerSecond: 20, burst: 40 },
  responses: { 200: null },
}).handle(({ request, caller, params, body }) =>
  revival.reviveFeatures(request, caller, params.projectId, body.features),
);
