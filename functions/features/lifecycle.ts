import * as v from 'valibot';
import { suspendSchedules } from '../../lib/change-requests/schedules/suspension.ts';
import { changeFeature } from '../../lib/features/change-feature.ts';
import { completion, featureNames, lifecycle } from '../../lib/features/feature-schema.ts';
import * as archive from '../../lib/features/lifecycle/archive-feature.ts';
import { completeFeature, listStages, uncompleteFeature } from '../../lib/features/lifecycle/complete-feature.ts';
import { endpointsOf } from '../../lib/http/endpoint.ts';
import { boolean, name, object } from '../../lib/values/primitives.ts';

const endpoint = endpointsOf('Features');
const flagChange = endpointsOf('Features', { effectsOf: suspendSchedules });

export const archiveFeature = flagChange({
  route: 'DELETE /api/admin/projects/{projectId}/features/{featureName}',
  summary: 'Archives a feature that no other feature depends on.',
  description:
    'SDKs no longer get it, and treat it as an unknown feature. It keeps its strategies and variants, and can be revived. The reply is 409 if other features depend on it.',
  permission: 'DELETE_FEATURE',
  responses: { 202: null },
  etag: true,
  errors: [409],
}).handle(({ request, caller, params }) => changeFeature(request, caller, archive.planArchive(request, params)));

export const archiveFeatures = flagChange({
  route: 'POST /api/admin/projects/{projectId}/archive',
  summary: 'Archives features that no other features depend on.',
  description:
    'SDKs no longer get them. A parent can be archived together with its children. The reply is 409 if another feature depends on one of them.',
  permission: 'DELETE_FEATURE',
  body: featureNames,
  // One call may write several items for each of hundreds of features.
  throttle: { ratePerSecond: 20, burst: 40 },
  responses: { 202: null },
  errors: [409],
}).handle(({ request, caller, params, body }) =>
  archive.archiveFeatures(request, caller, params.projectId, body.features),
);

export const complete = flagChange({
  route: 'POST /api/admin/projects/{projectId}/features/{featureName}/lifecycle/complete',
  summary: 'Marks a feature as completed, with its outcome.',
  description:
    'The outcome is `kept`, with the chosen variant in `statusValue` if there is one, or `discarded`. SDKs get the same feature as before. Calling it again changes the outcome.',
  permission: 'UPDATE_FEATURE',
  body: completion,
  responses: { 200: null },
  etag: true,
}).handle(({ request, caller, params, body }) => completeFeature(request, caller, params, body));

export const getFeatureLifecycle = endpoint({
  route: 'GET /api/admin/projects/{projectId}/features/{featureName}/lifecycle',
  summary: 'Lists the stages that a feature has entered, oldest first.',
  description:
    'The stages are `initial`, `pre-live`, `live`, `completed` and `archived`, each with the time when it began. A stage changes when SDKs use the feature, or when somebody completes or archives it.',
  responses: { 200: v.array(lifecycle) },
  etag: true,
}).handle(({ request, params }) => listStages(request, params));

export const uncomplete = flagChange({
  route: 'POST /api/admin/projects/{projectId}/features/{featureName}/lifecycle/uncomplete',
  summary: 'Marks a feature as not completed.',
  description: 'Use it if the feature is needed again. SDKs get the same feature as before.',
  permission: 'UPDATE_FEATURE',
  responses: { 200: null },
  etag: true,
}).handle(({ request, caller, params }) => uncompleteFeature(request, caller, params));

export const validateArchiveFeatures = endpoint({
  route: 'POST /api/admin/projects/{projectId}/archive/validate',
  summary: 'Lists the features that others depend on, and says whether archiving would remove dependencies.',
  description: '`parentsWithChildFeatures` must be empty before the features can be archived. Nothing is changed.',
  permission: 'DELETE_FEATURE',
  rights: 'read',
  body: featureNames,
  responses: {
    200: object({ parentsWithChildFeatures: v.array(name), hasDeletedDependencies: boolean }),
  },
}).handle(({ request, params, body }) => archive.checkArchiving(request, params.projectId, body.features));
