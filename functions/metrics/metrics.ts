import * as v from 'valibot';
import { listAllHours, summarizeUsage } from '../../lib/features/use/feature-usage.ts';
import { endpointsOf } from '../../lib/http/endpoint.ts';
import { loadApplicationOverview } from '../../lib/usage/applications/application-overview.ts';
import * as schemas from '../../lib/usage/applications/application-schema.ts';
import {
  application,
  applicationInput,
  applicationInstances,
  applicationParams,
  applications,
  applicationsQuery,
  outdatedSdks,
} from '../../lib/usage/applications/application-schema.ts';
import * as lib from '../../lib/usage/applications/applications.ts';
import { listOutdatedSdks } from '../../lib/usage/applications/outdated-sdks.ts';
import { listUnknownFlags } from '../../lib/usage/applications/unknown-flags.ts';
import {
  featureMetrics,
  featureUsage,
  listedCustomMetrics,
  unknownFlags,
  usageQuery,
} from '../../lib/usage/client-metrics-schema.ts';
import { formatPrometheusText, listCustomMetrics } from '../../lib/usage/custom-metrics.ts';
import { loadTraffic } from '../../lib/usage/traffic.ts';
import { traffic, trafficQuery } from '../../lib/usage/traffic-schema.ts';

const endpoint = endpointsOf('Metrics');

export const createApplication = endpoint({
  route: 'POST /api/admin/metrics/applications/{appName}',
  summary: 'Creates or updates the description of an application, which need not have reported yet.',
  description: 'Omitted fields keep their values. Strategies that its SDKs report take precedence.',
  permission: 'UPDATE_APPLICATION',
  params: applicationParams,
  freeText: ['appName'],
  body: applicationInput,
  responses: { 202: null },
  etag: true,
}).handle(({ request, caller, params, body }) => lib.describeApplication(request, caller, params.appName, body));

export const deleteApplication = endpoint({
  route: 'DELETE /api/admin/metrics/applications/{appName}',
  summary: 'Deletes an application until it reports again.',
  description: 'An application that still runs appears again within an hour.',
  permission: 'UPDATE_APPLICATION',
  freeText: ['appName'],
  responses: { 200: null },
  errors: [],
  etag: 'checked',
}).handle(({ request, caller, params }) => lib.deleteApplication(request, caller, params.appName));

export const getApplication = endpoint({
  route: 'GET /api/admin/metrics/applications/{appName}',
  summary: 'Returns an application that has reported.',
  description:
    'It includes its description, the strategies that its SDKs implement, and the projects and environments that it reports from.',
  freeText: ['appName'],
  responses: { 200: application },
  etag: true,
}).handle(({ request, params }) => lib.loadApplication(request, params.appName));

export const getApplicationEnvironmentInstances = endpoint({
  route: 'GET /api/admin/metrics/instances/{appName}/environment/{environment}',
  summary: 'Lists the instances of an application that reported from an environment within the last day.',
  description:
    'Each has its address, its SDK and the time of its last report. The list is empty for an unknown application.',
  freeText: ['appName'],
  responses: { 200: applicationInstances },
  errors: [],
}).handle(async ({ request, params: { appName, environment } }) => ({
  instances: (await lib.listKnownInstances(request, appName, environment)).map(
    ({ environment: _environment, sdkType: _sdkType, ...instance }) => instance,
  ),
}));

export const getApplicationOverview = endpoint({
  route: 'GET /api/admin/metrics/applications/{appName}/overview',
  summary: 'Returns the environments, SDKs and features of an application, and problems with them.',
  description: 'It covers instances of the last 24 hours and features of the last 48 hours.',
  freeText: ['appName'],
  responses: { 200: schemas.applicationOverview },
}).handle(({ request, params }) => loadApplicationOverview(request, params.appName));

export const getApplications = endpoint({
  route: 'GET /api/admin/metrics/applications',
  summary: 'Lists the applications that have reported, with the projects and environments where they use flags.',
  description:
    '`query` filters by part of the name. `limit` is the page size and `offset` the start of the page; `total` counts all applications.',
  query: applicationsQuery,
  responses: { 200: applications },
}).handle(({ request, query }) => lib.searchApplications(request, query));

export const getCustomMetrics = endpoint({
  route: 'GET /api/admin/custom-metrics',
  summary: 'Lists the custom metrics that applications sent within the last day.',
  description:
    'Applications send them to `/api/client/metrics/custom`. The list has the last value of each name and set of labels.',
  responses: { 200: listedCustomMetrics },
}).handle(async ({ request }) => {
  const metrics = await listCustomMetrics(request);
  return { metrics, count: metrics.length, metricNames: [...new Set(metrics.map(({ name }) => name))] };
});

export const getFeatureUsageSummary = endpoint({
  route: 'GET /api/admin/client-metrics/features/{name}',
  summary:
    'Returns the evaluations of a feature in the last hour, and the applications that used it in the last 48 hours.',
  description:
    'The numbers of evaluations that were on and off are listed by environment. The lists are empty for a feature that is unused or unknown.',
  responses: { 200: featureUsage },
  errors: [],
}).handle(async ({ request, params: { name } }) => ({
  ...{ version: 1, maturity: 'stable', featureName: name },
  ...(await summarizeUsage(request, name)),
}));

export const getInstanceTraffic = endpoint({
  route: 'GET /api/admin/metrics/traffic',
  summary: 'Returns the number of calls by path, and by day or month in UTC.',
  description:
    'Calls are kept for about 400 days and appear after about a minute. Each process counts on its own, and may lose the counts of its last minute. In Lambda, calls to `/api/admin` are estimated: one in ten reads with a valid token is counted as ten, and changes are not counted, so that counting costs nothing more. OpenFeature calls count as calls to `/api/frontend`. Other paths, such as `/health` and unknown ones, are not counted.',
  permission: 'ADMIN',
  query: trafficQuery,
  responses: { 200: traffic },
}).handle(({ request, query }) => loadTraffic(request, query));

export const getOutdatedSdks = endpoint({
  route: 'GET /api/admin/metrics/sdks/outdated',
  summary: 'Lists outdated SDKs that reported within the last day, with the applications that use them.',
  description: 'A version is outdated if Unleash 7.6 considers it outdated. Unknown SDKs are not listed.',
  responses: { 200: outdatedSdks },
}).handle(async ({ request }) => ({ sdks: await listOutdatedSdks(request) }));

export const getPrometheusMetrics = endpoint({
  route: 'GET /api/admin/custom-metrics/prometheus',
  summary: 'Returns the custom metrics of applications in the Prometheus text format.',
  description:
    'Characters that Prometheus does not allow in names become underscores. Like other admin endpoints, it requires a token.',
  contentType: 'text/plain; charset=utf-8',
  responses: { 200: v.string() },
}).handle(async ({ request }) => formatPrometheusText(await listCustomMetrics(request)));

const hoursBackDefault = 48;

export const getRawFeatureMetrics = endpoint({
  route: 'GET /api/admin/client-metrics/features/{name}/raw',
  summary: 'Lists the evaluations of a feature by hour, application and environment.',
  description:
    '`hoursBack` is the number of hours: 48 by default, and at most 720. There is an entry for each hour, application and environment. The reply is 413 if there are too many entries.',
  query: usageQuery,
  responses: { 200: featureMetrics },
  errors: [],
}).handle(async ({ request, params: { name }, query: { hoursBack = hoursBackDefault } }) => ({
  version: 1,
  maturity: 'stable',
  data: await listAllHours(request, name, hoursBack),
}));

export const getUnknownFlags = endpoint({
  route: 'GET /api/admin/metrics/unknown-flags',
  summary: 'Lists flags that applications requested in the last week and that do not exist.',
  description: 'Their names are often misspelt, or belong to deleted flags that code still uses.',
  responses: { 200: unknownFlags },
}).handle(async ({ request }) => ({ unknownFlags: await listUnknownFlags(request) }));
