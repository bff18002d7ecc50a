import { endpoint } from '../../lib/http/endpoint.ts';
import { trafficIn } from '../../lib/usage/traffic.ts';
import { traffic, trafficQuery } from '../../lib/usage/traffic-schema.ts';

export const handler = endpoint({
  route: 'GET /api/admin/metrics/traffic',
  group: 'Metrics',
  summary: 'Returns the number of calls by path, and by days or months, which begin by UTC.',
  description: `Calls are known for some 400 days, with a minute's delay. Each process counts its own, and may lose those of its last
minute. In Lambda, the calls to \`/api/admin\` are estimated: one read in ten with a valid token is counted, as ten, and no change, which
is to cost nothing more. Those of OpenFeature count as calls to \`/api/frontend\`; others, such as \`/health\` and paths that are
not there, are not counted.`,
  permission: 'ADMIN',
  query: trafficQuery,
  responses: { 200: traffic },
}).handle(({ request, query }) => trafficIn(request, query));
