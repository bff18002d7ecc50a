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
  summary: 'Makes a feature depend on another feature of its project. It replaces an earlier dependency.',
  description:
    'The feature is on only if the parent is on, and has one of the `variants` if they are given. With `enabled: false` the parent must be off. A parent cannot depend on another feature itself.',
  permission: 'UPDATE_FEATURE_DEPENDENCY',
  body: dependency,
  responses: { 200: null },
  etag: true,
}).handle(({ request, caller, params: { projectId, featureName }, body }) =>
  changeFeature(request, caller, planAddDependency(request, { projectId, featureName }, body)),
);

export const checkDependenciesExist = endpoint({
  route: 'GET /api/admin/projects/{projectId}/dependencies',
  summary: 'Returns `true` if a feature of a project depends on another one.',
  description: 'The reply is `true` or `false`, not an object. Admin UIs show dependencies only if there are any.',
  responses: { 200: v.boolean() },
}).handle(({ request, params }) => lib.hasDependencies(request, params.projectId));

export const deleteFeatureDependencies = flagChange({
  route: 'DELETE /api/admin/projects/{projectId}/features/{featureName}/dependencies',
  summary: 'Removes all dependencies of a feature.',
  description: 'Its parent no longer has an effect. A feature without a dependency does not change.',
  permission: 'UPDATE_FEATURE_DEPENDENCY',
  responses: { 200: null },
  etag: true,
}).handle(({ request, caller, params: { projectId, featureName } }) =>
  changeFeature(request, caller, planRemoveDependencies(request, { projectId, featureName })),
);

export const deleteFeatureDependency = flagChange({
  route: 'DELETE /api/admin/projects/{projectId}/features/{featureName}/dependencies/{parent}',
  summary: 'Removes a dependency of a feature.',
  description: 'This parent no longer has an effect.',
  permission: 'UPDATE_FEATURE_DEPENDENCY',
  responses: { 200: null },
  etag: true,
}).handle(({ request, caller, params: { projectId, featureName, parent } }) =>
  removeDependency(request, caller, { projectId, featureName }, parent),
);

export const listParentOptions = endpoint({
  route: 'GET /api/admin/projects/{projectId}/features/{featureName}/parents',
  summary: 'Lists the features that a feature can depend on.',
  description: 'These are the other live features of its project that do not depend on a feature themselves.',
  responses: { 200: v.array(name) },
}).handle(({ request, params }) => lib.listParentOptions(request, params.projectId, params.featureName));

export const listParentVariantOptions = endpoint({
  route: 'GET /api/admin/projects/{projectId}/features/{featureName}/parent-variants',
  summary: 'Lists the variants of a feature that others can depend on. The list is empty for an unknown feature.',
  description:
    'It has the variants of all environments, each name once. `variants` in `POST …/dependencies` uses these names.',
  responses: { 200: v.array(name) },
}).handle(({ request, params }) => lib.listParentVariants(request, params.projectId, params.featureName));
