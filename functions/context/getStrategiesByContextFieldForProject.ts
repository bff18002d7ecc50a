import * as v from 'valibot';
import { inOrder } from '../../lib/entity/in-order.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { loadProject } from '../../lib/projects/projects.ts';
import { object } from '../../lib/schemas/primitives.ts';
import { placedStrategy } from '../../lib/schemas/strategy.ts';
import { strategiesComparing } from '../../lib/uses/context-field-uses.ts';

export const handler = endpoint({
  method: 'GET',
  path: '/api/admin/projects/{projectId}/context/{contextField}/strategies',
  group: 'Context',
  summary: 'Lists the strategies of live features, of any project, that compare a context field.',
  responses: { 200: object({ strategies: v.array(placedStrategy) }) },
  errors: [404],
}).handle(async ({ request, params: { projectId, contextField } }) => {
  const [, strategies] = await inOrder([loadProject(request, projectId), strategiesComparing(request, contextField)]);
  return { strategies };
});
