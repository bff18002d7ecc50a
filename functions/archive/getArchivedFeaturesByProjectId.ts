import * as v from 'valibot';
import { listArchivedFeatures } from '../../lib/features/archive-store.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { listedFeature } from '../../lib/schemas/feature.ts';
import { object } from '../../lib/schemas/primitives.ts';

export const handler = endpoint({
  method: 'GET',
  path: '/api/admin/archive/features/{projectId}',
  group: 'Archive',
  summary: 'Lists the archived features of a project, latest first.',
  deprecated: true,
  // One call may read some thousand units, where an archive is as large as an answer can be.
  throttle: { ratePerSecond: 20, burst: 40 },
  responses: { 200: object({ version: v.literal(2), features: v.array(listedFeature) }) },
  errors: [404],
}).handle(async ({ table, params: { projectId } }) => ({
  version: 2,
  features: await listArchivedFeatures(table, projectId),
}));
