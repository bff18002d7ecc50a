import * as v from 'valibot';
import { contextFields } from '../../lib/context-fields/context-fields.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { contextField } from '../../lib/schemas/context-field.ts';

export const handler = endpoint({
  method: 'GET',
  path: '/api/admin/context',
  group: 'Context',
  summary: 'Lists all context fields.',
  responses: { 200: v.array(contextField) },
}).handle(({ table }) => contextFields.list(table));
