import * as v from 'valibot';
import { listedEnvironment } from '../../lib/environments/environment-schema.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { listEnvironmentsWithCounts } from '../../lib/insights/projects/environment-list.ts';
import { object } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'GET /api/admin/environments',
  group: 'Environments',
  summary: 'Lists all environments.',
  responses: { 200: object({ version: v.literal(1), environments: v.array(listedEnvironment) }) },
}).handle(async ({ request }) => ({ version: 1, environments: await listEnvironmentsWithCounts(request) }));
