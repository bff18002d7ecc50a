import * as v from 'valibot';
import { listFeatureTypes } from '../../lib/feature-types/feature-types.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { featureTypeView } from '../../lib/schemas/feature-type.ts';
import { object } from '../../lib/schemas/primitives.ts';

export const handler = endpoint({
  method: 'GET',
  path: '/api/admin/feature-types',
  group: 'Feature Types',
  summary: 'Lists all feature types.',
  responses: { 200: object({ version: v.literal(1), types: v.array(featureTypeView) }) },
}).handle(async ({ request }) => ({ version: 1 as const, types: await listFeatureTypes(request) }));
