import * as v from 'valibot';
import { lifecycle } from '../../lib/features/feature-schema.ts';
import { listStages } from '../../lib/features/lifecycle/complete-feature.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'GET /api/admin/projects/{projectId}/features/{featureName}/lifecycle',
  group: 'Features',
  summary: 'Lists the stages that a feature has entered, oldest first.',
  responses: { 200: v.array(lifecycle) },
  etag: true,
}).handle(({ request, params }) => listStages(request, params));
