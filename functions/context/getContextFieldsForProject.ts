import * as v from 'valibot';
import { listedContextField } from '../../lib/context-fields/context-field-schema.ts';
import { listContextFields, withUsage } from '../../lib/context-fields/context-fields.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { loadProject } from '../../lib/projects/projects.ts';
import { object, text } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'GET /api/admin/projects/{projectId}/context',
  group: 'Context',
  summary: 'Lists the context fields of a project; with include=root those of the whole service, too.',
  query: object({ include: v.exactOptional(text) }),
  responses: { 200: v.array(listedContextField) },
}).handle(async ({ request, params: { projectId }, query }) => {
  const isRoot = query.include?.toLowerCase() === 'root';
  const listed = listContextFields(request, (project) => project === projectId || (isRoot && project === undefined));
  const [fields] = await Promise.all([withUsage(request, listed), loadProject(request, projectId)]);
  return fields;
});
