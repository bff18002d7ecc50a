import * as v from 'valibot';
import { contextFields } from '../../lib/context-fields/context-fields.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { loadProject } from '../../lib/projects/projects.ts';
import { contextField } from '../../lib/schemas/context-field.ts';
import { object, text } from '../../lib/schemas/primitives.ts';

export const handler = endpoint({
  method: 'GET',
  path: '/api/admin/projects/{projectId}/context',
  group: 'Context',
  summary:
    'Lists the context fields of a project alone, of which there are none; with include=root those of all projects.',
  query: object({ include: v.exactOptional(text) }),
  responses: { 200: v.array(contextField) },
  errors: [404],
}).handle(async ({ table, params, query }) => {
  const isRoot = query.include?.toLowerCase() === 'root';
  const [, fields] = await Promise.all([loadProject(table, params.projectId), isRoot ? contextFields.list(table) : []]);
  return fields;
});
