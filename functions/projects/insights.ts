import * as v from 'valibot';
import { endpointsOf } from '../../lib/http/endpoint.ts';
import { loadDashboard, loadDashboardProject } from '../../lib/insights/dashboard.ts';
import { dashboard, dashboardProject } from '../../lib/insights/dashboard-schema.ts';
import { listFlagCreators } from '../../lib/insights/projects/flag-creators.ts';
import { loadProjectOverview, loadProjectStatus } from '../../lib/insights/projects/project-overview.ts';
import {
  loadHealthReport,
  loadLeadTime,
  loadProjectInsights,
  loadProjectWithFeatures,
} from '../../lib/insights/projects/project-report.ts';
import {
  healthReport,
  leadTime,
  projectInsights,
  projectOverview,
  projectStatus,
  projectWithFeatures,
} from '../../lib/projects/project-schema.ts';
import {
  outdatedSdks,
  projectApplications,
  projectApplicationsQuery,
} from '../../lib/usage/applications/application-schema.ts';
import { listOutdatedSdks } from '../../lib/usage/applications/outdated-sdks.ts';
import { listProjectApplications } from '../../lib/usage/applications/project-applications.ts';
import { integer, object, text } from '../../lib/values/primitives.ts';

const endpoint = endpointsOf('Projects');

export const getDeprecatedProjectOverview = endpoint({
  route: 'GET /api/admin/projects/{projectId}',
  summary: 'Returns a project with its features.',
  description: 'Use `GET …/overview` and `GET …/features` instead, since this reply grows with the number of features.',
  deprecated: true,
  throttle: { ratePerSecond: 20, burst: 40 },
  // Favorites depend on the caller.
  permission: 'NONE',
  responses: { 200: projectWithFeatures },
  etag: true,
}).handle(({ request, caller, params }) => loadProjectWithFeatures(request, caller, params.projectId));

export const getOutdatedProjectSdks = endpoint({
  route: 'GET /api/admin/projects/{projectId}/sdks/outdated',
  summary: 'Lists the outdated SDKs of the applications that use features of a project.',
  description:
    'An application uses a project if it evaluated one of its features. `GET /api/admin/metrics/sdks/outdated` covers all applications.',
  responses: { 200: outdatedSdks },
}).handle(async ({ request, params }) => ({ sdks: await listOutdatedSdks(request, params.projectId) }));

export const getPersonalDashboard = endpoint({
  route: 'GET /api/admin/personal-dashboard',
  summary: "Returns the caller's projects and features, and the administrators to ask for help.",
  description: 'It has the latest 100 features that the caller created or marked as favorites.',
  permission: 'NONE',
  throttle: { ratePerSecond: 50, burst: 100 },
  responses: { 200: dashboard },
}).handle(({ request, caller }) => loadDashboard(request, caller));

export const getPersonalDashboardProjectDetails = endpoint({
  route: 'GET /api/admin/personal-dashboard/{projectId}',
  summary:
    "Returns details of a project for the caller: its owners, the caller's roles, its latest events and its health.",
  description:
    "The dashboard of Unleash's admin UI shows them for the selected project. `GET /api/admin/personal-dashboard` lists the projects.",
  permission: 'NONE',
  responses: { 200: dashboardProject },
}).handle(({ request, caller, params }) => loadDashboardProject(request, caller, params.projectId));

export const getProjectApplications = endpoint({
  route: 'GET /api/admin/projects/{projectId}/applications',
  summary: 'Lists the applications that used features of a project within the last two days, page by page.',
  description: '`limit` is the page size: 50 by default, and at most 100.',
  query: projectApplicationsQuery,
  responses: { 200: projectApplications },
}).handle(({ request, params, query }) => listProjectApplications(request, params.projectId, query));

export const getProjectDora = endpoint({
  route: 'GET /api/admin/projects/{projectId}/dora',
  summary: 'Returns the days from the creation of features to their first use in production.',
  description:
    'The end is the time when a feature was first enabled in an environment of the type `production`. The days are listed by feature, with the average of the project.',
  responses: { 200: leadTime },
}).handle(({ request, params }) => loadLeadTime(request, params.projectId));

export const getProjectFlagCreators = endpoint({
  route: 'GET /api/admin/projects/{projectId}/flag-creators',
  summary: 'Lists the users who created features of a project.',
  description:
    'Admin UIs use them to filter features: `createdBy` of `/api/admin/search/features` is an id of this list.',
  responses: { 200: v.array(object({ id: integer, name: text })) },
}).handle(({ request, params }) => listFlagCreators(request, params.projectId));

export const getProjectHealthReport = endpoint({
  route: 'GET /api/admin/projects/{projectId}/health-report',
  summary: 'Returns a project with its features and the number of stale ones.',
  description: 'Use `GET …/overview` and `GET …/status` instead, since this reply grows with the number of features.',
  deprecated: true,
  throttle: { ratePerSecond: 20, burst: 40 },
  // Favorites depend on the caller.
  permission: 'NONE',
  responses: { 200: healthReport },
  etag: true,
}).handle(({ request, caller, params }) => loadHealthReport(request, caller, params.projectId));

export const getProjectInsights = endpoint({
  route: 'GET /api/admin/projects/{projectId}/insights',
  summary: 'Returns the health of a project and its recent activity.',
  description: 'Use `GET …/status` instead.',
  deprecated: true,
  responses: { 200: projectInsights },
}).handle(({ request, params }) => loadProjectInsights(request, params.projectId));

export const getProjectOverview = endpoint({
  route: 'GET /api/admin/projects/{projectId}/overview',
  summary: 'Returns a project with its environments, and the numbers of its features and members.',
  description:
    'It includes the settings, the health, the onboarding status and the activity of the last 30 days, but no features.',
  // Favorites depend on the caller.
  permission: 'NONE',
  responses: { 200: projectOverview },
  etag: true,
}).handle(({ request, caller, params }) => loadProjectOverview(request, caller, params.projectId));

export const getProjectStatus = endpoint({
  route: 'GET /api/admin/projects/{projectId}/status',
  summary: "Returns the number of a project's features in each life-cycle stage, and counts of its other resources.",
  description:
    'It includes the average days in each stage, the numbers of members, API tokens and segments, and the number of events by day.',
  reads: ['READABLE_CLIENT_TOKENS'],
  responses: { 200: projectStatus },
}).handle(({ request, params }) => loadProjectStatus(request, params.projectId));
