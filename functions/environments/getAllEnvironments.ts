import * as v from 'valibot';
import { listEnvironments } from '../../lib/environments/environments.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { boolean, count, integer, name, object, text } from '../../lib/schemas/primitives.ts';

const environment = object({
  name,
  type: text,
  sortOrder: integer,
  enabled: boolean,
  protected: boolean,
  projectCount: count,
  apiTokenCount: count,
  enabledToggleCount: count,
});

export const handler = endpoint({
  method: 'GET',
  path: '/api/admin/environments',
  group: 'Environments',
  summary: 'Lists all environments.',
  responses: { 200: object({ version: v.literal(1), environments: v.array(environment) }) },
}).handle(async ({ table }) => ({ version: 1, environments: await listEnvironments(table) }));
