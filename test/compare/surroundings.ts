import type { ScriptStep } from './step.ts';

const project = '/api/admin/projects/default';
const development = `${project}/features/{flag}/environments/development`;

/** Environments, and what a project has of them. */
const environments: readonly ScriptStep[] = [
  { title: 'an unknown environment', send: 'GET /api/admin/environments/nowhere' },
  {
    title: 'environments in an order',
    send: 'PUT /api/admin/environments/sort-order',
    body: { development: 2, production: 3 },
  },
  { title: 'an order of an unknown environment', send: 'PUT /api/admin/environments/sort-order', body: { nowhere: 1 } },
  { title: 'switch an environment off', send: 'POST /api/admin/environments/production/off' },
  { title: 'an environment that is off', send: 'GET /api/admin/environments/production' },
  { title: 'switch an environment on', send: 'POST /api/admin/environments/production/on' },
  { title: 'switch an unknown environment on', send: 'POST /api/admin/environments/nowhere/on' },
  { title: 'environments of an unknown project', send: 'GET /api/admin/environments/project/nowhere' },
  {
    title: 'a default strategy',
    send: `POST ${project}/environments/production/default-strategy`,
    body: { name: 'flexibleRollout', parameters: { rollout: '25', stickiness: 'default', groupId: 'default' } },
  },
  { title: 'take an environment out', send: `DELETE ${project}/environments/production` },
  { title: 'add it again', send: `POST ${project}/environments`, body: { environment: 'production' } },
  { title: 'add it twice', send: `POST ${project}/environments`, body: { environment: 'production' } },
  { title: 'add an unknown one', send: `POST ${project}/environments`, body: { environment: 'nowhere' } },
  {
    title: 'a default strategy in no environment',
    send: `POST ${project}/environments/nowhere/default-strategy`,
    body: { name: 'default' },
  },
];

/** Projects. */
const projects: readonly ScriptStep[] = [
  { title: 'one project', send: `GET ${project}` },
  { title: 'an unknown project', send: 'GET /api/admin/projects/nowhere' },
  { title: 'overview of an unknown project', send: 'GET /api/admin/projects/nowhere/overview' },
  { title: 'health of a project', send: `GET ${project}/health-report` },
  { title: 'insights of a project', send: `GET ${project}/insights` },
  { title: 'status of a project', send: `GET ${project}/status` },
  { title: 'lead times of a project', send: `GET ${project}/dora` },
  { title: 'who makes flags in a project', send: `GET ${project}/flag-creators` },
  { title: 'applications of a project', send: `GET ${project}/applications`, own: ['applications'] },
  { title: 'outdated SDKs of a project', send: `GET ${project}/sdks/outdated` },
  { title: 'tokens of a project', send: `GET ${project}/api-tokens` },
  {
    title: 'create a token of a project',
    send: `POST ${project}/api-tokens`,
    body: { tokenName: '{flag}', type: 'client', environment: 'development', projects: ['default'] },
    keep: { 'project token': 'secret' },
  },
  { title: 'delete a token of a project', send: `DELETE ${project}/api-tokens/{project token}` },
  { title: 'archived flags of a project', send: 'GET /api/admin/archive/features/default', own: ['features'] },
  { title: 'like a project', send: `POST ${project}/favorites`, body: {} },
  { title: 'like a project no more', send: `DELETE ${project}/favorites`, body: {} },
];

/** Of whoever signs in. */
const password = 'Correct-Horse-7-Battery';

const addon = {
  provider: 'webhook',
  description: '{flag}',
  enabled: false,
  parameters: { url: 'http://localhost:4242/webhook', authorization: 'Bearer a secret' },
  events: ['feature-created', 'feature-archived'],
  projects: ['default'],
  environments: ['development'],
};

/** Addons. */
const addons: readonly ScriptStep[] = [
  { title: 'addons and their providers', send: 'GET /api/admin/addons', own: ['addons'] },
  { title: 'create an addon', send: 'POST /api/admin/addons', body: addon, keep: { addon: 'id' } },
  {
    title: 'create an addon without its parameters',
    send: 'POST /api/admin/addons',
    body: { ...addon, parameters: {} },
  },
  { title: 'create an addon of nobody', send: 'POST /api/admin/addons', body: { ...addon, provider: 'nobody' } },
  { title: 'an addon', send: 'GET /api/admin/addons/{addon}' },
  { title: 'an unknown addon', send: 'GET /api/admin/addons/1000000' },
  {
    title: 'update an addon',
    send: 'PUT /api/admin/addons/{addon}',
    body: { ...addon, parameters: { ...addon.parameters, authorization: '*****' }, events: ['feature-created'] },
  },
  { title: 'the addon after that', send: 'GET /api/admin/addons/{addon}' },
  { title: 'events of an addon', send: 'GET /api/admin/addons/{addon}/events' },
  { title: 'delete an addon', send: 'DELETE /api/admin/addons/{addon}' },
  { title: 'delete an unknown addon', send: 'DELETE /api/admin/addons/1000000' },
];

/** The audit log. */
const events: readonly ScriptStep[] = [
  { title: 'the newest events', send: 'GET /api/admin/events?limit=1' },
  { title: 'events of a project', send: 'GET /api/admin/events?project=default&maxResults=1' },
  { title: 'event creators', send: 'GET /api/admin/event-creators', own: [''] },
  ...[
    'feature=IS:{flag}&type=IS:feature-created',
    'project=IS:default&feature=IS:{flag}&type=IS_ANY_OF:feature-created,feature-tagged&limit=1',
    'query={flag}&type=IS:feature-created',
    'feature=IS:{flag}&type=IS:feature-created&from=IS:2020-01-01&to=IS:2100-01-01',
    'feature=IS:nothing',
    'environment=IS:development&feature=IS:{flag}&type=IS:feature-strategy-add&limit=1',
  ].map((filter) => ({ title: `events with ${filter}`, send: `GET /api/admin/search/events?${filter}` })),
  { title: 'events of an unknown flag', send: 'GET /api/admin/events/nothing' },
  { title: 'lifecycle of a flag', send: `GET ${project}/features/{flag}/lifecycle` },
  { title: 'lifecycle counts', send: 'GET /api/admin/lifecycle/count' },
];

/** People, and what they may do. */
const people: readonly ScriptStep[] = [
  { title: 'users', send: 'GET /api/admin/user-admin', own: ['users'] },
  {
    title: 'create a user',
    send: 'POST /api/admin/user-admin',
    body: { username: '{flag}', email: '{flag}@example.com', name: 'Somebody', rootRole: 2, sendEmail: false },
    keep: { user: 'id' },
  },
  {
    title: 'create the user again',
    send: 'POST /api/admin/user-admin',
    body: { username: '{flag}', email: '{flag}@example.com', rootRole: 2, sendEmail: false },
  },
  { title: 'create a user who is nobody', send: 'POST /api/admin/user-admin', body: { rootRole: 3 } },
  {
    title: 'create a user of an unknown role',
    send: 'POST /api/admin/user-admin',
    body: { username: '{flag}-x', rootRole: 9999, sendEmail: false },
  },
  { title: 'a user', send: 'GET /api/admin/user-admin/{user}' },
  { title: 'an unknown user', send: 'GET /api/admin/user-admin/1000000' },
  { title: 'search users', send: 'GET /api/admin/user-admin/search?q={flag}' },
  {
    title: 'update a user',
    send: 'PUT /api/admin/user-admin/{user}',
    body: { name: 'Somebody else', rootRole: 3, email: '{flag}@example.com' },
  },
  {
    title: 'validate a weak password',
    send: 'POST /api/admin/user-admin/validate-password',
    body: { password: 'weak' },
  },
  {
    title: 'validate a good password',
    send: 'POST /api/admin/user-admin/validate-password',
    body: { password },
  },
  {
    title: 'set a password',
    send: 'POST /api/admin/user-admin/{user}/change-password',
    body: { password },
  },
  {
    title: 'sign in',
    send: 'POST /auth/simple/login',
    as: 'nobody',
    body: { username: '{flag}', password },
    keep: { session: 'header set-cookie' },
  },
  ...[
    { title: 'who am I', send: 'GET /api/admin/user' },
    { title: 'my profile', send: 'GET /api/admin/user/profile' },
    { title: 'my roles', send: 'GET /api/admin/user/roles?projectId=default' },
    { title: 'my dashboard', send: 'GET /api/admin/personal-dashboard' },
    { title: 'my dashboard of a project', send: 'GET /api/admin/personal-dashboard/default' },
    {
      title: 'create a personal token',
      send: 'POST /api/admin/user/tokens',
      body: { description: '{flag}', expiresAt: '2099-01-01T00:00:00.000Z' },
      keep: { personal: 'id', 'personal token': 'secret' },
    },
    { title: 'my personal tokens', send: 'GET /api/admin/user/tokens' },
    { title: 'delete a personal token', send: 'DELETE /api/admin/user/tokens/{personal}' },
    { title: 'dismiss a page', send: 'POST /api/admin/splash/{flag}' },
    {
      title: 'give feedback',
      send: 'POST /api/admin/feedback',
      body: { neverShow: false, feedbackId: '{flag}' },
    },
    {
      title: 'change feedback',
      send: 'PUT /api/admin/feedback/{flag}',
      body: { neverShow: true, feedbackId: '{flag}', given: '2026-11-21T10:00:00.000Z' },
    },
    {
      title: 'change my password',
      send: 'POST /api/admin/user/change-password',
      body: { password: 'Correct-Horse-8-Battery', confirmPassword: 'Correct-Horse-8-Battery', oldPassword: password },
    },
  ].map(
    (step): ScriptStep => ({
      ...step,
      as: 'nobody',
      headers: { cookie: '{session}', 'sec-fetch-site': 'same-origin' },
    }),
  ),
  {
    title: 'sign in with a wrong password',
    send: 'POST /auth/simple/login',
    as: 'nobody',
    body: { username: '{flag}', password: 'wrong' },
  },
  { title: 'permissions of a user', send: 'GET /api/admin/user-admin/{user}/permissions' },
  { title: 'who has access', send: 'GET /api/admin/user-admin/access', own: ['users', 'groups'] },
  { title: 'how many admins', send: 'GET /api/admin/user-admin/admin-count' },
  { title: 'inactive users', send: 'GET /api/admin/user-admin/inactive', own: ['inactiveUsers'] },
  {
    title: 'a link for a new password',
    send: 'POST /api/admin/user-admin/reset-password',
    body: { id: '{flag}@example.com' },
    keep: { reset: 'query token resetPasswordUrl' },
  },
  { title: 'validate a link', send: 'GET /auth/reset/validate?token={reset}', as: 'nobody' },
  { title: 'validate no link', send: 'GET /auth/reset/validate?token=nothing', as: 'nobody' },
  {
    title: 'validate a password for a link',
    send: 'POST /auth/reset/validate-password',
    as: 'nobody',
    body: { password },
  },
  {
    title: 'set a password by a link',
    send: 'POST /auth/reset/password',
    as: 'nobody',
    body: { token: '{reset}', password: 'Correct-Horse-9-Battery' },
  },
  {
    title: 'use the link again',
    send: 'POST /auth/reset/password',
    as: 'nobody',
    body: { token: '{reset}', password: 'Correct-Horse-9-Battery' },
  },
  {
    title: 'a mail with a link',
    send: 'POST /auth/reset/password-email',
    as: 'nobody',
    body: { email: '{flag}@example.com' },
  },
  { title: 'delete no inactive users', send: 'POST /api/admin/user-admin/inactive/delete', body: { ids: [] } },
  { title: 'delete the users of SCIM', send: 'DELETE /api/admin/user-admin/scim-users' },
  { title: 'delete a user', send: 'DELETE /api/admin/user-admin/{user}' },
  { title: 'delete an unknown user', send: 'DELETE /api/admin/user-admin/1000000' },
  {
    title: 'create an invitation',
    send: 'POST /api/admin/invite-link/tokens',
    body: { name: '{flag}', expiresAt: '2099-01-01T00:00:00.000Z' },
    keep: { invitation: 'secret' },
  },
  { title: 'invitations', send: 'GET /api/admin/invite-link/tokens', own: ['tokens'] },
  { title: 'an invitation', send: 'GET /api/admin/invite-link/tokens/{invitation}' },
  { title: 'validate an invitation', send: 'GET /invite/{invitation}/validate', as: 'nobody' },
  {
    title: 'sign up by an invitation',
    send: 'POST /invite/{invitation}/signup',
    as: 'nobody',
    body: {
      username: '{flag}-guest',
      name: 'Guest',
      email: '{flag}-guest@example.com',
      password,
    },
    keep: { guest: 'id' },
  },
  {
    title: 'end an invitation',
    send: 'PUT /api/admin/invite-link/tokens/{invitation}',
    body: { enabled: false },
  },
  { title: 'validate an ended invitation', send: 'GET /invite/{invitation}/validate', as: 'nobody' },
  { title: 'validate no invitation', send: 'GET /invite/nothing/validate', as: 'nobody' },
  { title: 'delete the guest', send: 'DELETE /api/admin/user-admin/{guest}' },
  { title: 'permissions', send: 'GET /api/admin/permissions' },
  { title: 'who is nobody', send: 'GET /api/admin/user', as: 'nobody' },
];

/** Moving flags. */
const moving: readonly ScriptStep[] = [
  {
    title: 'export a flag',
    send: 'POST /api/admin/features-batch/export',
    body: { features: ['{flag}'], environment: 'development', downloadFile: false },
    keep: { exported: '' },
  },
  {
    title: 'export by an unknown tag',
    send: 'POST /api/admin/features-batch/export',
    body: { tag: 'nothing', environment: 'development' },
  },
  {
    title: 'validate an import',
    send: 'POST /api/admin/features-batch/validate',
    body: { project: 'default', environment: 'development', data: '{exported}' },
  },
  {
    title: 'import flags',
    send: 'POST /api/admin/features-batch/import',
    body: { project: 'default', environment: 'development', data: '{exported}' },
  },
  {
    title: 'import into no project',
    send: 'POST /api/admin/features-batch/import',
    body: { project: 'nowhere', environment: 'development', data: '{exported}' },
  },
];

/** The service itself. */
const service: readonly ScriptStep[] = [
  { title: 'maintenance', send: 'GET /api/admin/maintenance' },
  { title: 'maintenance on', send: 'POST /api/admin/maintenance', body: { enabled: true } },
  {
    title: 'create a flag during maintenance',
    send: `POST ${project}/features`,
    body: { name: '{flag}-late', type: 'release' },
  },
  { title: 'read during maintenance', send: `GET ${development}` },
  { title: 'maintenance off', send: 'POST /api/admin/maintenance', body: { enabled: false } },
  { title: 'statistics', send: 'GET /api/admin/instance-admin/statistics' },
  { title: 'statistics as CSV', send: 'GET /api/admin/instance-admin/statistics/csv' },
  { title: 'settings of telemetry', send: 'GET /api/admin/telemetry/settings' },
  {
    title: 'an error of the UI',
    send: 'POST /api/admin/record-ui-error',
    body: { errorMessage: 'broken', errorStack: 'Error: broken' },
  },
  { title: 'settings of the UI', send: 'GET /api/admin/ui-config' },
  { title: 'sites that may ask', send: 'POST /api/admin/ui-config/cors', body: { frontendApiOrigins: ['*'] } },
  { title: 'applications', send: 'GET /api/admin/metrics/applications', own: ['applications'] },
  { title: 'an unknown application', send: 'GET /api/admin/metrics/applications/nothing' },
  {
    title: 'describe an application',
    send: 'POST /api/admin/metrics/applications/{flag}-app',
    body: { description: 'The shop', icon: 'shop', url: 'https://example.com' },
  },
  { title: 'an application', send: 'GET /api/admin/metrics/applications/{flag}-app' },
  { title: 'overview of an application', send: 'GET /api/admin/metrics/applications/{flag}-app/overview' },
  {
    title: 'instances of an application',
    send: 'GET /api/admin/metrics/instances/{flag}-app/environment/development',
  },
  { title: 'delete an application', send: 'DELETE /api/admin/metrics/applications/{flag}-app' },
  { title: 'metrics of applications', send: 'GET /api/admin/custom-metrics' },
  { title: 'metrics of applications as text', send: 'GET /api/admin/custom-metrics/prometheus' },
  { title: 'unknown flags', send: 'GET /api/admin/metrics/unknown-flags', own: ['unknownFlags'] },
  { title: 'metrics of a flag', send: 'GET /api/admin/client-metrics/features/{flag}' },
  { title: 'raw metrics of a flag', send: 'GET /api/admin/client-metrics/features/{flag}/raw' },
  { title: 'outdated SDKs', send: 'GET /api/admin/metrics/sdks/outdated' },
  { title: 'requests per second', send: 'GET /api/admin/metrics/rps' },
  {
    title: 'a lifetime of a feature type',
    send: 'PUT /api/admin/feature-types/experiment/lifetime',
    body: { lifetimeDays: 41 },
  },
  {
    title: 'a lifetime of no feature type',
    send: 'PUT /api/admin/feature-types/nothing/lifetime',
    body: { lifetimeDays: 1 },
  },
  {
    title: 'the lifetime as before',
    send: 'PUT /api/admin/feature-types/experiment/lifetime',
    body: { lifetimeDays: 40 },
  },
  {
    title: 'try a flag in the playground',
    send: 'POST /api/admin/playground',
    body: {
      environment: 'development',
      projects: ['default'],
      context: { appName: 'web', country: 'CH', userId: 'somebody' },
    },
    own: ['features'],
  },
  {
    title: 'try flags by several contexts',
    send: 'POST /api/admin/playground/advanced',
    body: {
      environments: ['development'],
      projects: ['default'],
      context: { appName: 'web,shop', userId: 'somebody' },
    },
    own: ['features'],
  },
  { title: 'ready', send: 'GET /ready', as: 'nobody' },
];

/** Everything around a flag that is set up and used. */
export const surroundings: readonly ScriptStep[] = [
  ...environments,
  ...projects,
  ...addons,
  ...events,
  ...people,
  ...moving,
  ...service,
];
