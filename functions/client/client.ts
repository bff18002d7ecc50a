import { knowsSegments, serveFeature, serveFeatures } from '../../lib/delivery/client-features.ts';
import * as schemas from '../../lib/delivery/client-features-schema.ts';
import { serveDelta } from '../../lib/delivery/delta/client-delta.ts';
import { clientDelta } from '../../lib/delivery/delta/client-delta-schema.ts';
import { readyReply } from '../../lib/http/content-reply.ts';
import { endpointsOf } from '../../lib/http/endpoint.ts';
import { answerRepeats } from '../../lib/http/repeated-polls.ts';
import {
  bulkMetrics,
  clientMetrics,
  clientRegistration,
  customMetrics,
  reportBytesMax,
} from '../../lib/usage/client-metrics-schema.ts';
import {
  registerApplication,
  registerBulkMetrics,
  registerCustomMetrics,
  registerMetrics,
} from '../../lib/usage/register-usage.ts';

const endpoint = endpointsOf('Client');

export const clientBulkMetrics = endpoint({
  route: 'POST /api/client/metrics/bulk',
  summary: 'Records metrics that a proxy collected from SDKs, in the environment of its token.',
  description:
    'Unleash Edge sends them: registrations of applications counts of evaluations and impact metrics, in one request. Invalid parts are ignored.',
  audience: 'client',
  rights: 'count',
  body: bulkMetrics,
  compressedBody: true,
  bodyBytesMin: reportBytesMax,
  responses: { 202: null },
}).handle(({ request, scope, address, body }) =>
  registerBulkMetrics(request, { scope, address, sdkType: 'backend' }, body),
);

export const clientCustomMetrics = endpoint({
  route: 'POST /api/client/metrics/custom',
  summary: 'Records custom metrics of an application.',
  description: 'The last value of each name and set of labels is kept for a day.',
  audience: 'client',
  rights: 'count',
  body: customMetrics,
  compressedBody: true,
  bodyBytesMin: reportBytesMax,
  responses: { 202: null },
}).handle(({ request, scope, body }) => registerCustomMetrics(request, scope, body));

export const getAllClientFeatures = endpoint({
  route: 'GET /api/client/features',
  summary: 'Returns the features that a token may read, for server-side SDKs.',
  description:
    'SDKs that send `Unleash-Client-Spec` 4.2.0 or above get segments separately. Other SDKs get the constraints of segments as constraints of each strategy. Send the ETag as `If-None-Match` to get 304 while nothing has changed.',
  audience: 'client',
  query: schemas.clientFeaturesQuery,
  repeated: ['project', 'tag'],
  answerRepeats: answerRepeats('authorization', 'unleash-client-spec'),
  responses: { 200: schemas.clientFeatures, 304: null },
}).handle(
  ({ request, scope, query, header }) =>
    serveFeatures(request, scope, {
      query,
      segmentsApart: knowsSegments(header('unleash-client-spec')),
      ifNoneMatch: header('if-none-match'),
    }),
  readyReply,
);

export const getClientDelta = endpoint({
  route: 'GET /api/client/delta',
  summary: 'Returns the changes since the state that an SDK has, for SDKs that poll for changes.',
  description:
    'Send the ETag as `If-None-Match` to get the events since, or 304 while nothing has changed. Without it, or with one that this process does not know, the only event is a `hydration` with everything.',
  audience: 'client',
  query: schemas.clientFeaturesQuery,
  repeated: ['project', 'tag'],
  answerRepeats: answerRepeats('authorization'),
  responses: { 200: clientDelta, 304: null },
}).handle(
  ({ request, scope, query, header }) => serveDelta(request, scope, { query, ifNoneMatch: header('if-none-match') }),
  readyReply,
);

export const getClientFeature = endpoint({
  route: 'GET /api/client/features/{featureName}',
  summary: 'Returns a feature that a token may read, for server-side SDKs.',
  description:
    'The reply is 404 for a feature of a project that the token may not read. SDKs get all features from `/api/client/features`.',
  audience: 'client',
  responses: { 200: schemas.clientFeature },
}).handle(({ request, scope, params, header }) =>
  serveFeature(request, scope, params.featureName, {
    segmentsApart: knowsSegments(header('unleash-client-spec')),
  }),
);

export const registerClientApplication = endpoint({
  route: 'POST /api/client/register',
  summary: 'Registers an SDK that starts.',
  description:
    'SDKs send it once when they start, with the name of the application, the instance and the strategies that they implement. The application then appears at `/api/admin/metrics/applications`.',
  audience: 'client',
  rights: 'count',
  body: clientRegistration,
  compressedBody: true,
  bodyBytesMin: reportBytesMax,
  responses: { 202: null },
}).handle(({ request, scope, address, header, body }) =>
  registerApplication(request, { scope, address, sdkType: 'backend', sdk: header('unleash-sdk') }, body),
);

export const registerClientMetrics = endpoint({
  route: 'POST /api/client/metrics',
  summary: "Records an SDK's evaluations of features.",
  description:
    'About every minute, SDKs send how often each feature was on and off, and how often each variant was chosen. The counts are summed up by hour, application and environment, and kept for 30 days. `impactMetrics` has what the application measures: counters, gauges and histograms since the last report. Invalid ones are ignored.',
  audience: 'client',
  rights: 'count',
  body: clientMetrics,
  compressedBody: true,
  bodyBytesMin: reportBytesMax,
  responses: { 202: null },
}).handle(({ request, scope, address, header, body }) =>
  registerMetrics(request, { scope, address, sdkType: 'backend', sdk: header('unleash-sdk') }, body),
);
