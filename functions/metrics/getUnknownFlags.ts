import { listUnknownFlags } from '../../lib/applications/unknown-flags.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { unknownFlags } from '../../lib/schemas/client-metrics.ts';

export const handler = endpoint({
  method: 'GET',
  path: '/api/admin/metrics/unknown-flags',
  group: 'Metrics',
  summary: 'Lists the flags that applications have asked for in the last week and that are not there.',
  responses: { 200: unknownFlags },
}).handle(async ({ request }) => ({ unknownFlags: await listUnknownFlags(request) }));
