import * as v from 'valibot';
import { overwriteVariantsIn } from '../../lib/features/environments/change-variants.ts';
import { featureVariantsView, newFeatureVariants } from '../../lib/features/environments/variant-schema.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { object, text } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'PUT /api/admin/projects/{projectId}/features/{featureName}/variants-batch',
  group: 'Features',
  summary: 'Replaces the variants of a feature in several environments, and distributes the weights.',
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
      overwriteVariantsIn(request, caller, params, environments, variants),
    (variants) => ({ body: { version: 1, variants } }),
  );
