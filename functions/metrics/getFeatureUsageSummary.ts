import { endpoint } from '../../lib/http/endpoint.ts';
import { featureUsage } from '../../lib/usage/client-metrics-schema.ts';
import { summaryOfUsage } from '../../lib/usage/feature-usage.ts';

export const handler = endpoint({
  route: 'GET /api/admin/client-metrics/features/{name}',
  group: 'Metrics',
  summary: 'Returns the evaluations of a feature in the last hour, and the applications that used it in the last 48.',
  responses: { 200: featureUsage },
  errors: [],
}).handle(async ({ request, params: { name } }) => ({
  ...{ version: 1, maturity: 'stable', featureName: name },
  ...(await summaryOfUsage(request, name)),
}));
