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
import { listCustomMetrics, prometheusText } from '../../lib/usage/custom-metrics.ts';
import { trafficIn } from '../../lib/usage/traffic.ts';
import { traffic, trafficQuery } from '../../lib/usage/traffic-schema.ts';

const endpoint = endpointsOf('Metrics');

export const createApplication = endpoint({
  route: 'POST /api/admin/metrics/applications/{appName}',
  summary: 'Creates or updates the description of an application, which need not have reported yet.',
  description: 'Omitted fields stay as they are. Strategies that its SDKs report take precedence.',
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
  description: 'An application that still runs is back within an hour.',
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
    'It has its description, the strategies that its SDKs implement, and the projects and environments that it reports from.',
  freeText: ['appName'],
  responses: { 200: application },
  etag: true,
}).handle(({ request, params }) => lib.loadApplication(request, params.appName));

export const getApplicationEnvironmentInstances = endpoint({
  route: 'GET /api/admin/metrics/instances/{appName}/environment/{environment}',
  summary: 'Lists the instances of an application that have reported from an environment within a day.',
  description: 'Each has its address, its SDK and the time of its last report. An unknown application has none.',
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
  summary: 'Returns the environments, SDKs and features of an application, and the issues with them.',
  description: 'Instances are those of the last 24 hours, features those of the last 48.',
  freeText: ['appName'],
  responses: { 200: schemas.applicationOverview },
}).handle(({ request, params }) => loadApplicationOverview(request, params.appName));

export const getApplications = endpoint({
  route: 'GET /api/admin/metrics/applications',
  summary: 'Lists the applications that have reported, with the projects and environments where they use flags.',
  description:
    '`query` finds them by a part of the name. `limit` is the size of a page, which begins at `offset`; `total` counts all.',
  query: applicationsQuery,
  responses: { 200: applications },
}).handle(({ request, query }) => lib.searchApplications(request, query));

export const getCustomMetrics = endpoint({
  route: 'GET /api/admin/custom-metrics',
  summary: 'Lists the custom metrics that applications have sent within a day.',
  description:
    'Applications send them to `/api/client/metrics/custom`. Of each name and set of labels it lists the last value.',
  responses: { 200: listedCustomMetrics },
}).handle(async ({ request }) => {
  const metrics = await listCustomMetrics(request);
  return { metrics, count: metrics.length, metricNames: [...new Set(metrics.map(({ name }) => name))] };
});

export const getFeatureUsageSummary = endpoint({
  route: 'GET /api/admin/client-metrics/features/{name}',
  summary: 'Returns the evaluations of a feature in the last hour, and the applications that used it in the last 48.',
  description:
    'The evaluations are given by environment: how often the feature was on and off. A feature that nobody uses has empty lists, and so has an unknown one.',
  responses: { 200: featureUsage },
  errors: [],
}).handle(async ({ request, params: { name } }) => ({
  ...{ version: 1, maturity: 'stable', featureName: name },
  ...(await summarizeUsage(request, name)),
}));

export const getInstanceTraffic = endpoint({
  route: 'GET /api/admin/metrics/traffic',
  summary: 'Returns the number of calls by path, and by days or months, which begin by UTC.',
  description: `Calls are known for some 400 days, with a minute's delay. Each process counts its own, and may lose those of its last
minute. In Lambda, the calls to \`/api/admin\` are estimated: one read in ten with a valid token is counted, as ten, and no change, which
is to cost nothing more. Those of OpenFeature count as calls to \`/api/frontend\`; others, such as \`/health\` and paths that are
not there, are not counted.`,
  permission: 'ADMIN',
  query: trafficQuery,
  responses: { 200: traffic },
}).handle(({ request, query }) => trafficIn(request, query));

export const getOutdatedSdks = endpoint({
  route: 'GET /api/admin/metrics/sdks/outdated',
  summary: 'Lists outdated SDKs that have reported within a day, with the applications that use them.',
  description:
    'The oldest version of each SDK that counts as current is that of Unleash 7.6. Unknown SDKs are not listed.',
  responses: { 200: outdatedSdks },
}).handle(async ({ request }) => ({ sdks: await listOutdatedSdks(request) }));

export const getPrometheusMetrics = endpoint({
  route: 'GET /api/admin/custom-metrics/prometheus',
  summary: 'Returns the custom metrics of applications in the Prometheus text format.',
  description:
    'Characters that Prometheus does not allow in names become underscores. It needs a token as all others do.',
  contentType: 'text/plain; charset=utf-8',
  responses: { 200: v.string() },
}).handle(async ({ request }) => prometheusText(await listCustomMetrics(request)));

const hoursBackDefault = 48;

export const getRawFeatureMetrics = endpoint({
  route: 'GET /api/admin/client-metrics/features/{name}/raw',
  summary: 'Lists the evaluations of a feature by hour, application and environment.',
  description:
    '`hoursBack` is the number of hours, 48 by default and at most 720. Each application and environment that was heard of has an entry for each hour. More entries than fit into a reply are a 413.',
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
  summary: 'Lists the flags that applications have asked for in the last week and that do not exist.',
  description: 'They are often misspelt, or deleted flags that code still asks for.',
  responses: { 200: unknownFlags },
}).handle(async ({ request }) => ({ unknownFlags: await listUnknownFlags(request) }));
