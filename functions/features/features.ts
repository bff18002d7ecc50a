import * as v from 'valibot';
import { suspendSchedules } from '../../lib/change-requests/schedules/suspension.ts';
import * as cloning from '../../lib/features/clone-feature.ts';
import * as creation from '../../lib/features/create-feature.ts';
import { projectFeature, projectFeaturesQuery } from '../../lib/features/feature-list-schema.ts';
import { feature, featureInput, featureUpdate } from '../../lib/features/feature-schema.ts';
import * as reading from '../../lib/features/get-feature.ts';
import { setStale } from '../../lib/features/lifecycle/set-stale.ts';
import { moveFeature } from '../../lib/features/move-feature.ts';
import * as patching from '../../lib/features/patch-feature.ts';
import * as updating from '../../lib/features/update-feature.ts';
import { jsonPatch } from '../../lib/helpers/json-patch-schema.ts';
import { endpointsOf } from '../../lib/http/endpoint.ts';
import { listFeatures } from '../../lib/search/search-features.ts';
import { boolean, name, object, text } from '../../lib/values/primitives.ts';

const endpoint = endpointsOf('Features');
const flagChange = endpointsOf('Features', { effectsOf: suspendSchedules });

export const changeProject = flagChange({
  route: 'POST /api/admin/projects/{projectId}/features/{featureName}/changeProject',
  summary: 'Moves a feature to another project, which must have the same environments.',
  description:
    'The caller needs the permission in both projects. The reply is 409, and lists the obstacles, if the environments differ, or the feature has dependencies or segments of its project.',
  permission: 'MOVE_FEATURE_TOGGLE',
  body: object({ newProjectId: text }),
  reads: ['PROJECT_FEATURES_LIMIT', 'PROJECT_FEATURES_WARNING'],
  responses: { 200: null },
  etag: true,
  errors: [409],
})
  .needs(({ body }) => [{ permission: 'MOVE_FEATURE_TOGGLE', project: body.newProjectId }])
  .handle(({ request, caller, params, body }) => moveFeature(request, caller, params, body.newProjectId));

export const cloneFeature = flagChange({
  route: 'POST /api/admin/projects/{projectId}/features/{featureName}/clone',
  summary: 'Clones a feature. The copy is disabled in all environments and has no tags.',
  description:
    'The caller also needs the permissions to add what is copied: `CREATE_FEATURE_STRATEGY` and `UPDATE_FEATURE_ENVIRONMENT_VARIANTS` in each environment that has strategies or variants, and `UPDATE_FEATURE_DEPENDENCY` if the feature has parents.',
  permission: 'CREATE_FEATURE',
  body: object({ name, replaceGroupId: v.optional(boolean, true) }),
  reads: ['PROJECT_FEATURES_LIMIT', 'PROJECT_FEATURES_WARNING'],
  responses: { 201: feature },
  etag: true,
  errors: [409],
}).handle(
  ({ request, caller, params, body }) => cloning.cloneFeature(request, caller, params, body),
  ({ project, name: created }) => ({
    headers: { location: `/api/admin/projects/${encodeURIComponent(project)}/features/${encodeURIComponent(created)}` },
  }),
);

export const createFeature = flagChange({
  route: 'POST /api/admin/projects/{projectId}/features',
  summary: 'Creates a feature, which is disabled in all environments of the project.',
  description:
    'The reply is 409 if a feature of any project has the name, even an archived one. It is 400 if the name breaks a rule or the naming pattern of the project, or if the project has reached its limit of features.',
  permission: 'CREATE_FEATURE',
  body: featureInput,
  reads: ['PROJECT_FEATURES_LIMIT', 'PROJECT_FEATURES_WARNING'],
  responses: { 201: feature },
  etag: true,
  errors: [409],
}).handle(
  ({ request, caller, params, body }) => creation.createFeature(request, caller, params.projectId, body),
  ({ project, name }) => ({
    headers: { location: `/api/admin/projects/${encodeURIComponent(project)}/features/${encodeURIComponent(name)}` },
  }),
);

export const getFeature = endpoint({
  route: 'GET /api/admin/projects/{projectId}/features/{featureName}',
  summary: 'Returns a feature with its environments.',
  description:
    'The reply is 404 if the feature is archived. The environments always include their variants, with or without `variantEnvironments`.',
  // Favorites depend on the caller.
  permission: 'NONE',
  query: object({ variantEnvironments: v.exactOptional(v.string()) }),
  responses: { 200: feature, 304: null },
  etag: true,
}).handle(({ request, caller, params }) => reading.getFeature(request, caller, params));

export const getFeatures = endpoint({
  route: 'GET /api/admin/projects/{projectId}/features',
  summary: 'Lists the features of a project that are not archived, by name.',
  description:
    'It returns all features, or those with one of the tags (`tag=simple:beta`, repeatable), or those whose name begins with `namePrefix`, ignoring case. The search has pages and more filters.',
  deprecated: true,
  // Favorites depend on the caller.
  permission: 'NONE',
  query: projectFeaturesQuery,
  repeated: ['tag'],
  throttle: { ratePerSecond: 20, burst: 40 },
  responses: { 200: object({ version: v.literal(2), features: v.array(projectFeature) }) },
  // The list is empty for an unknown or hidden project.
  errors: [],
}).handle(async ({ request, caller, params, query }) => ({
  version: 2 as const,
  features: await listFeatures(request, caller, params.projectId, query),
}));

export const patchFeature = flagChange({
  route: 'PATCH /api/admin/projects/{projectId}/features/{featureName}',
  summary: 'Applies a JSON Patch to the fields of a feature.',
  description:
    'It can change the description, the type, `stale`, `archived` and `impressionData`, and test any field. The reply is 400 if a path does not exist. If a `test` fails, the reply is 409 and nothing is changed.',
  permission: 'UPDATE_FEATURE',
  body: jsonPatch,
  bodyType: 'application/json-patch+json',
  responses: { 200: feature },
  etag: true,
  errors: [409],
}).handle(({ request, caller, params, body }) => patching.patchFeature(request, caller, params, body));

export const staleFeatures = flagChange({
  route: 'POST /api/admin/projects/{projectId}/stale',
  summary: 'Marks features as stale, or as not stale.',
  description:
    'This is information for people; SDKs get the same features as before. Features that already have the value do not change.',
  permission: 'UPDATE_FEATURE',
  body: object({ features: v.array(text), stale: boolean }),
  // One call may write several items for each of hundreds of features.
  throttle: { ratePerSecond: 20, burst: 40 },
  responses: { 202: null },
}).handle(({ request, caller, params, body }) => setStale(request, caller, params.projectId, body));

export const updateFeature = flagChange({
  route: 'PUT /api/admin/projects/{projectId}/features/{featureName}',
  summary:
    'Updates the given fields of a feature, and can archive or revive it. Other properties, such as `enabled`, are ignored.',
  description:
    'Omitted properties keep their values. `enabled` has no effect, since a feature is enabled per environment. Archiving it needs `DELETE_FEATURE`. Reviving it needs `UPDATE_FEATURE_ENVIRONMENT` in each environment where it was enabled, since it is enabled there again.',
  permission: 'UPDATE_FEATURE',
  body: featureUpdate,
  responses: { 200: feature },
  etag: true,
}).handle(({ request, caller, params, body }) => updating.updateFeature(request, caller, params, body));

export const validateFeature = endpoint({
  route: 'POST /api/admin/features/validate',
  summary: 'Checks whether a feature can have a name.',
  description:
    'The reply is 409 if a feature of any project has the name, even an archived one. With `projectId`, the naming pattern of the project is checked, too. Nothing is created.',
  rights: 'read',
  body: object({ name, projectId: v.exactOptional(v.nullable(text)) }),
  responses: { 200: null },
  errors: [409],
}).handle(({ request, body }) => creation.checkFreeName(request, body.name, body.projectId));
