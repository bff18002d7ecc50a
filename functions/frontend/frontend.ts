import * as v from 'valibot';
import * as schemas from '../../lib/delivery/evaluation-context-schema.ts';
import { evaluateFeatures } from '../../lib/delivery/frontend-features.ts';
import { readyReply } from '../../lib/http/content-reply.ts';
import { endpointsOf } from '../../lib/http/endpoint.ts';
import { clientMetrics, clientRegistration, reportBytesMax } from '../../lib/usage/client-metrics-schema.ts';
import { registerApplication, registerMetrics } from '../../lib/usage/register-usage.ts';

const endpoint = endpointsOf('Frontend');

export const getFrontendApiFeaturesWithPost = endpoint({
  route: 'POST /api/frontend',
  summary: 'Returns the features that are on for the context in the body, for client-side SDKs.',
  description: 'The query supplies context values that the body does not have.',
  audience: 'frontend',
  rights: 'read',
  query: schemas.contextInQuery,
  body: schemas.frontendContext,
  bodyOptional: true,
  responses: { 200: schemas.frontendFeatures },
}).handle(
  ({ request, scope, query, body: { context }, address }) =>
    evaluateFeatures(request, { scope, contexts: [query, ...(context ? [context] : [])], address }),
  readyReply,
);

export const getFrontendFeatures = endpoint({
  route: 'GET /api/frontend',
  summary: 'Returns the features that are on for the context in the query, for client-side SDKs.',
  description:
    'Each query parameter is a context value: `userId=7&properties[plan]=paid`. The reply only has features that are on, each with its variant. Send the ETag as `If-None-Match` to get 304 while nothing has changed.',
  audience: 'frontend',
  query: schemas.contextInQuery,
  responses: { 200: schemas.frontendFeatures, 304: null },
}).handle(
  ({ request, scope, query, address }) => evaluateFeatures(request, { scope, contexts: [query], address }),
  readyReply,
);

export const registerFrontendClient = endpoint({
  route: 'POST /api/frontend/client/register',
  summary: 'Registers a client-side SDK that starts.',
  description: 'SDKs send it once when they start. The application then appears at `/api/admin/metrics/applications`.',
  audience: 'frontend',
  rights: 'count',
  body: clientRegistration,
  compressedBody: true,
  bodyBytesMin: reportBytesMax,
  contentType: 'text/plain; charset=utf-8',
  responses: { 200: v.literal('OK') },
}).handle(async ({ request, scope, address, header, body }) => {
  await registerApplication(request, { scope, address, sdkType: 'frontend', sdk: header('unleash-sdk') }, body);
  return 'OK';
});

export const registerFrontendMetrics = endpoint({
  route: 'POST /api/frontend/client/metrics',
  summary: "Records a client-side SDK's evaluations of features.",
  description:
    'About every minute, SDKs send how often each feature was on and off, and how often each variant was chosen. The counts are summed up by hour, application and environment, and kept for 30 days.',
  audience: 'frontend',
  rights: 'count',
  body: clientMetrics,
  compressedBody: true,
  bodyBytesMin: reportBytesMax,
  contentType: 'text/plain; charset=utf-8',
  responses: { 200: v.literal('OK') },
}).handle(async ({ request, scope, address, header, body }) => {
  await registerMetrics(request, { scope, address, sdkType: 'frontend', sdk: header('unleash-sdk') }, body);
  return 'OK';
});
