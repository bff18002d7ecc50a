import * as v from 'valibot';
import { featureTypeView } from '../../lib/features/types/feature-type-schema.ts';
import { listFeatureTypes } from '../../lib/features/types/feature-types.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { object } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'GET /api/admin/feature-types',
  group: 'Feature Types',
  summary: 'Lists all feature types.',
  responses: { 200: object({ version: v.literal(1), types: v.array(featureTypeView) }) },
}).handle(async ({ request }) => ({ version: 1 as const, types: await listFeatureTypes(request) }));
