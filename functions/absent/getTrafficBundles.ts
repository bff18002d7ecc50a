import { endpoint } from '../../lib/http/endpoint.ts';
import { count, object } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'GET /api/instance/trafficBundles',
  group: 'Unavailable',
  summary: 'Returns the millions of requests that are included and bought; there is no limit.',
  rights: 'none',
  responses: { 200: object({ includedTraffic: count, purchasedTraffic: count }) },
}).handle(async () => ({ includedTraffic: 0, purchasedTraffic: 0 }));
