import * as v from 'valibot';
import { listVariants } from '../../lib/features/variants.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { entityTag } from '../../lib/http/entity-tag.ts';
import { object } from '../../lib/schemas/primitives.ts';
import { featureVariants } from '../../lib/schemas/variant.ts';

export const handler = endpoint({
  method: 'GET',
  path: '/api/admin/projects/{projectId}/features/{featureName}/environments/{environment}/variants',
  tag: 'Features',
  summary: 'Lists the variants of a feature in an environment.',
  responses: { 200: object({ version: v.literal(1), variants: featureVariants }) },
  entityTag: true,
  errors: [404],
}).handle(async ({ table, params }) => {
  const { value, version } = await listVariants(table, params);
  return { status: 200, headers: { etag: entityTag(version) }, body: { version: 1, variants: [...value] } };
});
