import * as v from 'valibot';
import { suspendSchedules } from '../../lib/change-requests/schedules/suspension.ts';
import { changeFeature } from '../../lib/features/change-feature.ts';
import {
  buildOverwrite,
  buildPatchRevision,
  changeVariantsEverywhere,
  overwriteVariants,
  planChangeVariants,
  planPatchVariants,
} from '../../lib/features/environments/change-variants.ts';
import { listVariants, listVariantsOfFeature } from '../../lib/features/environments/read-environment.ts';
import { featureVariantsView, newFeatureVariants } from '../../lib/features/environments/variant-schema.ts';
import { jsonPatch } from '../../lib/helpers/json-patch-schema.ts';
import { endpointsOf } from '../../lib/http/endpoint.ts';
import { object, text } from '../../lib/values/primitives.ts';

const endpoint = endpointsOf('Features');
const flagChange = endpointsOf('Features', { effectsOf: suspendSchedules });

export const getEnvironmentFeatureVariants = endpoint({
  route: 'GET /api/admin/projects/{projectId}/features/{featureName}/environments/{environment}/variants',
  summary: 'Lists the variants of a feature in an environment.',
  description: 'They apply unless the strategy that matches a user has its own variants.',
  responses: { 200: featureVariantsView },
  etag: true,
}).handle(
  ({ request, params }) => listVariants(request, params),
  (variants) => ({ body: { version: 1, variants } }),
);

export const getFeatureVariants = endpoint({
  route: 'GET /api/admin/projects/{projectId}/features/{featureName}/variants',
  summary: 'Lists the variants of a feature in the first environment of its project.',
  description: 'Use `GET …/environments/{environment}/variants` instead, since each environment has its own variants.',
  deprecated: true,
  responses: { 200: featureVariantsView },
  etag: true,
}).handle(
  ({ request, params }) => listVariantsOfFeature(request, params),
  (variants) => ({ body: { version: 1, variants } }),
);

export const overwriteEnvironmentFeatureVariants = flagChange({
  route: 'PUT /api/admin/projects/{projectId}/features/{featureName}/environments/{environment}/variants',
  summary: 'Replaces the variants of a feature in an environment, and distributes the weights.',
  description:
    'Variants with a fixed weight keep it; the others share the rest of 1000 equally. For new features, use `variants` of strategies instead.',
  permission: 'UPDATE_FEATURE_ENVIRONMENT_VARIANTS',
  body: newFeatureVariants,
  responses: { 200: featureVariantsView },
  etag: true,
}).handle(
  ({ request, caller, params, body }) =>
    changeFeature(request, caller, planChangeVariants(request, params, buildOverwrite(body))),
  (variants) => ({ body: { version: 1, variants } }),
);

export const overwriteFeatureVariants = flagChange({
  route: 'PUT /api/admin/projects/{projectId}/features/{featureName}/variants',
  summary: 'Replaces the variants of a feature in all environments of its project, and distributes the weights.',
  description:
    'Variants with a fixed weight keep it; the others share the rest of 1000 equally. The reply is 403, and names the environments, if the permission is missing in some.',
  deprecated: true,
  permission: 'UPDATE_FEATURE_VARIANTS',
  body: newFeatureVariants,
  responses: { 200: featureVariantsView },
  etag: true,
}).handle(
  ({ request, caller, params, body }) => changeVariantsEverywhere(request, caller, params, buildOverwrite(body)),
  (variants) => ({ body: { version: 1, variants } }),
);

export const overwriteFeatureVariantsOnEnvironments = flagChange({
  route: 'PUT /api/admin/projects/{projectId}/features/{featureName}/variants-batch',
  summary: 'Replaces the variants of a feature in several environments, and distributes the weights.',
  description:
    'Variants with a fixed weight keep it; the others share the rest of 1000 equally. The permission is needed in each environment.',
  permission: 'UPDATE_FEATURE_ENVIRONMENT_VARIANTS',
  permissionBy: 'body',
  body: object({
    environments: v.pipe(v.array(text), v.minLength(1, 'At least one environment is required.')),
    variants: v.optional(newFeatureVariants, () => []),
  }),
  responses: { 200: featureVariantsView },
  etag: true,
})
  .needs(({ params: { projectId: project }, body: { environments } }) =>
    environments.map((environment) => ({ permission: 'UPDATE_FEATURE_ENVIRONMENT_VARIANTS', project, environment })),
  )
  .handle(
    ({ request, caller, params, body: { environments, variants } }) =>
      overwriteVariants(request, caller, params, environments, variants),
    (variants) => ({ body: { version: 1, variants } }),
  );

export const patchEnvironmentsFeatureVariants = flagChange({
  route: 'PATCH /api/admin/projects/{projectId}/features/{featureName}/environments/{environment}/variants',
  summary: 'Applies a JSON Patch to the list of variants of a feature in an environment.',
  description:
    'Variants with a fixed weight keep it; the others share the rest of 1000 equally. If a `test` of the patch fails, the reply is 409 and nothing is changed.',
  permission: 'UPDATE_FEATURE_ENVIRONMENT_VARIANTS',
  body: jsonPatch,
  bodyType: 'application/json-patch+json',
  responses: { 200: featureVariantsView },
  etag: true,
  errors: [409],
}).handle(
  ({ request, caller, params, body }) => changeFeature(request, caller, planPatchVariants(request, params, body)),
  (variants) => ({ body: { version: 1, variants } }),
);

export const patchFeatureVariants = flagChange({
  route: 'PATCH /api/admin/projects/{projectId}/features/{featureName}/variants',
  summary: 'Applies a JSON Patch to the list of variants of a feature, in each environment of its project.',
  description:
    'The reply has the variants of the first environment. If the patch fails in one environment, none is changed.',
  deprecated: true,
  permission: 'UPDATE_FEATURE_VARIANTS',
  body: jsonPatch,
  bodyType: 'application/json-patch+json',
  responses: { 200: featureVariantsView },
  etag: true,
  errors: [409],
}).handle(
  ({ request, caller, params, body }) => changeVariantsEverywhere(request, caller, params, buildPatchRevision(body)),
  (variants) => ({ body: { version: 1, variants } }),
);
