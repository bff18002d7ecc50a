import * as v from 'valibot';
import { listContextFields } from '../../lib/context-fields/context-fields.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { listedContextField } from '../../lib/schemas/context-field.ts';
import { object, text } from '../../lib/schemas/primitives.ts';
import { withUsage } from '../../lib/uses/context-field-uses.ts';

export const handler = endpoint({
  method: 'GET',
  path: '/api/admin/context',
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
