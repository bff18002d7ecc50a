import * as v from 'valibot';
import { day } from '../../lib/features/search/filter-schema.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { object } from '../../lib/values/primitives.ts';

const grouping = v.picklist(['daily', 'monthly']);

export const handler = endpoint({
  method: 'GET',
  path: '/api/admin/metrics/traffic',
  group: 'Unavailable',
  summary: 'Returns the number of requests by day or month; the service does not count them.',
  description: 'Deployed, the metrics of API Gateway have their number.',
  rights: 'none',
  query: object({ grouping, from: day, to: day }),
  responses: {
    200: object({ grouping, dateRange: object({ from: day, to: day }), apiData: v.array(v.looseObject({})) }),
  },
  errors: [400],
}).handle(async ({ query: { grouping, from, to } }) => ({ grouping, dateRange: { from, to }, apiData: [] }));
