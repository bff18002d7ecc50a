import * as v from 'valibot';
import { listedContextField } from '../../lib/context-fields/context-field-schema.ts';
import { listContextFields, withUsage } from '../../lib/context-fields/context-fields.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { object, text } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'GET /api/admin/context',
  group: 'Context',
  summary: 'Lists the context fields of the whole service; with include=project those of projects, too.',
  query: object({ include: v.exactOptional(text) }),
  responses: { 200: v.array(listedContextField) },
}).handle(({ request, query }) => {
  const isWhole = query.include?.toLowerCase() === 'project';
  return withUsage(
    request,
    listContextFields(request, (project) => isWhole || project === undefined),
  );
});
