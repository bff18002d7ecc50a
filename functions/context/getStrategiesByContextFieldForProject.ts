import * as v from 'valibot';
import { strategiesComparing } from '../../lib/context-fields/context-fields.ts';
import { allInOrder } from '../../lib/entity/all-in-order.ts';
import { placedStrategy } from '../../lib/features/strategies/strategy-schema.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { loadProject } from '../../lib/projects/projects.ts';
import { object } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'GET /api/admin/projects/{projectId}/context/{contextField}/strategies',
  group: 'Context',
  summary: 'Lists the strategies of live features, in any project, that use a context field.',
  responses: { 200: object({ strategies: v.array(placedStrategy) }) },
}).handle(async ({ request, params: { projectId, contextField } }) => {
  const [, strategies] = await allInOrder([
    loadProject(request, projectId),
    strategiesComparing(request, contextField),
  ]);
  return { strategies };
});
