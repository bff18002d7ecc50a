import { isHiddenFeature } from '../../lib/features/feature-store.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { featureMetrics, usageQuery } from '../../lib/usage/client-metrics-schema.ts';
import { listAllHours } from '../../lib/usage/feature-usage.ts';

const hoursBackDefault = 48;

export const handler = endpoint({
  method: 'GET',
  path: '/api/admin/client-metrics/features/{name}/raw',
  group: 'Metrics',
  summary: 'Lists the evaluations of a feature by hour, application and environment.',
  query: usageQuery,
  responses: { 200: featureMetrics },
}).handle(async ({ request, params: { name }, query: { hoursBack = hoursBackDefault } }) => {
  const [data, isUnknown] = await Promise.all([listAllHours(request, name, hoursBack), isHiddenFeature(request, name)]);
  return { version: 1, maturity: 'stable', data: isUnknown ? [] : data };
});
