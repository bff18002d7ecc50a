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
  summary: 'Moves a feature to another project, which has the same environments.',
  description:
    'It takes the permission in both projects. A 409 lists all that does not go with the feature: other environments, dependencies, and segments of its project.',
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
  summary: 'Clones a feature. The copy is off in all environments and has no tags.',
  description:
    'It also takes the permissions to add what is copied: `CREATE_FEATURE_STRATEGY` and ' +
    '`UPDATE_FEATURE_ENVIRONMENT_VARIANTS` in each environment with strategies or variants, and ' +
    '`UPDATE_FEATURE_DEPENDENCY` for parents.',
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
  summary: 'Creates a feature, off in all environments of the project.',
  description:
    'A 409 means that a feature of any project has the name, archived or not. A 400 means that the name breaks a rule or the naming pattern of the project, or that there is one feature too many.',
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
    'An archived feature is answered with 404. The environments always show their variants, with or without `variantEnvironments`.',
  // Whether it is a favorite is a question of who asks.
  permission: 'NONE',
  query: object({ variantEnvironments: v.exactOptional(v.string()) }),
  responses: { 200: feature, 304: null },
  etag: true,
}).handle(({ request, caller, params }) => reading.getFeature(request, caller, params));

export const getFeatures = endpoint({
  route: 'GET /api/admin/projects/{projectId}/features',
  summary: 'Lists the features of a project that are not archived, by name.',
  description:
    'All of them at once, or those with one of the tags (`tag=simple:beta`, repeatable) or with a name that begins with `namePrefix`, ignoring case. The search returns pages, and takes more filters.',
  deprecated: true,
  // Which are favorites is a question of who asks.
  permission: 'NONE',
  query: projectFeaturesQuery,
  repeated: ['tag'],
  throttle: { ratePerSecond: 20, burst: 40 },
  responses: { 200: object({ version: v.literal(2), features: v.array(projectFeature) }) },
  // An unknown or hidden project has none.
  errors: [],
}).handle(async ({ request, caller, params, query }) => ({
  version: 2 as const,
  features: await listFeatures(request, caller, params.projectId, query),
}));

export const patchFeature = flagChange({
  route: 'PATCH /api/admin/projects/{projectId}/features/{featureName}',
  summary: 'Applies a JSON Patch to the fields of a feature.',
  description:
    'It changes the description, the type, `stale`, `archived` and `impressionData`; it may test other fields. A path that does not exist is a 400. A test that fails is a 409, and nothing is changed then.',
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
    'It is a mark for people; what SDKs get does not change. Features that have the mark already stay as they are.',
  permission: 'UPDATE_FEATURE',
  body: object({ features: v.array(text), stale: boolean }),
  // One call may write several items for each of hundreds of features.
  throttle: { ratePerSecond: 20, burst: 40 },
  responses: { 202: null },
}).handle(({ request, caller, params, body }) => setStale(request, caller, params.projectId, body));

export const updateFeature = flagChange({
  route: 'PUT /api/admin/projects/{projectId}/features/{featureName}',
  summary:
    'Updates the given fields of a feature, archives or revives it. Other properties are ignored, `enabled` among them.',
  description:
    'Properties that are left out stay as they are. `{"enabled": true}` changes nothing, as any property that the operation ' +
    'does not know: a feature is enabled in one environment at a time. Archiving it takes `DELETE_FEATURE`, and reviving it ' +
    '`UPDATE_FEATURE_ENVIRONMENT` in each environment where it is on, since it is on there again.',
  permission: 'UPDATE_FEATURE',
  body: featureUpdate,
  responses: { 200: feature },
  etag: true,
}).handle(({ request, caller, params, body }) => updating.updateFeature(request, caller, params, body));

export const validateFeature = endpoint({
  route: 'POST /api/admin/features/validate',
  summary: 'Checks whether a feature can be created with a name, by the naming pattern of the project, too.',
  description:
    'A 409 means that a feature of any project has the name, archived or not. Without `projectId`, no naming pattern is checked. Nothing is created.',
  rights: 'read',
  body: object({ name, projectId: v.exactOptional(v.nullable(text)) }),
  responses: { 200: null },
  errors: [409],
}).handle(({ request, body }) => creation.checkFreeName(request, body.name, body.projectId));
