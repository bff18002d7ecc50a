import { endpoint } from '../../lib/http/endpoint.ts';
import { listUnknownFlags } from '../../lib/usage/applications/unknown-flags.ts';
import { unknownFlags } from '../../lib/usage/client-metrics-schema.ts';

export const handler = endpoint({
  route: 'GET /api/admin/metrics/unknown-flags',
  group: 'Metrics',
  summary: 'Lists the flags that applications have asked for in the last week and that do not exist.',
  responses: { 200: unknownFlags },
}).handle(async ({ request }) => ({ unknownFlags: await listUnknownFlags(request) }));
