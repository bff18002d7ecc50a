import * as v from 'valibot';
import { listParentVariants } from '../../lib/features/dependencies/parent-options.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { name } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'GET /api/admin/projects/{projectId}/features/{featureName}/parent-variants',
  group: 'Dependencies',
  summary: 'Lists the variants of a feature that others can depend on; none for an unknown feature.',
  responses: { 200: v.array(name) },
}).handle(({ request, params }) => listParentVariants(request, params.projectId, params.featureName));
