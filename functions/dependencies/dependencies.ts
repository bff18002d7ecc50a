import * as v from 'valibot';
import { suspendSchedules } from '../../lib/change-requests/schedules/suspension.ts';
import { changeFeature } from '../../lib/features/change-feature.ts';
import {
  planAddDependency,
  planRemoveDependencies,
  removeDependency,
} from '../../lib/features/dependencies/change-dependencies.ts';
import * as lib from '../../lib/features/dependencies/parent-options.ts';
import { dependency } from '../../lib/features/feature-schema.ts';
import { endpointsOf } from '../../lib/http/endpoint.ts';
import { name } from '../../lib/values/primitives.ts';

const endpoint = endpointsOf('Dependencies');
const flagChange = endpointsOf('Dependencies', { effectsOf: suspendSchedules });

export const addFeatureDependency = flagChange({
  route: 'POST /api/admin/projects/{projectId}/features/{featureName}/dependencies',
  summary: 'Makes a feature depend on another one of its project, and on no other.',
  description:
    'It is on only where the parent is on, in one of the variants where some are named, or off with `enabled: false`. A ' +
    'parent depends on nothing itself.',
  permission: 'UPDATE_FEATURE_DEPENDENCY',
  body: dependency,
  responses: { 200: null },
  etag: true,
}).handle(({ request, caller, params: { projectId, featureName }, body }) =>
  changeFeature(request, caller, planAddDependency(request, { projectId, featureName }, body)),
);

export const checkDependenciesExist = endpoint({
  route: 'GET /api/admin/projects/{projectId}/dependencies',
  summary: 'Tells whether any feature of a project depends on another one.',
  description: 'The reply is `true` or `false`, not an object. Admin UIs show dependencies only where there are some.',
  responses: { 200: v.boolean() },
}).handle(({ request, params }) => lib.hasDependencies(request, params.projectId));

export const deleteFeatureDependencies = flagChange({
  route: 'DELETE /api/admin/projects/{projectId}/features/{featureName}/dependencies',
  summary: 'Removes all dependencies of a feature.',
  description: 'The feature then no longer asks whether a parent is on. A feature without a dependency stays as it is.',
  permission: 'UPDATE_FEATURE_DEPENDENCY',
  responses: { 200: null },
  etag: true,
}).handle(({ request, caller, params: { projectId, featureName } }) =>
  changeFeature(request, caller, planRemoveDependencies(request, { projectId, featureName })),
);

export const deleteFeatureDependency = flagChange({
  route: 'DELETE /api/admin/projects/{projectId}/features/{featureName}/dependencies/{parent}',
  summary: 'Removes a dependency of a feature.',
  description: 'The feature then no longer asks whether this parent is on.',
  permission: 'UPDATE_FEATURE_DEPENDENCY',
  responses: { 200: null },
  etag: true,
}).handle(({ request, caller, params: { projectId, featureName, parent } }) =>
  removeDependency(request, caller, { projectId, featureName }, parent),
);

export const listParentOptions = endpoint({
  route: 'GET /api/admin/projects/{projectId}/features/{featureName}/parents',
  summary: 'Lists the features on which a feature can depend.',
  description:
    'These are the live features of its project that depend on nothing themselves, without the feature itself.',
  responses: { 200: v.array(name) },
}).handle(({ request, params }) => lib.listParentOptions(request, params.projectId, params.featureName));

export const listParentVariantOptions = endpoint({
  route: 'GET /api/admin/projects/{projectId}/features/{featureName}/parent-variants',
  summary: 'Lists the variants of a feature that others can depend on; none for an unknown feature.',
  description: 'They are those of all environments, each name once. `POST …/dependencies` takes them in `variants`.',
  responses: { 200: v.array(name) },
}).handle(({ request, params }) => lib.listParentVariants(request, params.projectId, params.featureName));
