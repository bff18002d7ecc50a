import * as v from 'valibot';
import { listParentOptions } from '../../lib/features/dependencies/parent-options.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { name } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'GET /api/admin/projects/{projectId}/features/{featureName}/parents',
  group: 'Dependencies',
  summary: 'Lists the features on which a feature can depend.',
  responses: { 200: v.array(name) },
}).handle(({ request, params }) => listParentOptions(request, params.projectId, params.featureName));
