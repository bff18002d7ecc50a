import { stepsOf, type TitledCalls } from './step.ts';

const project = '/api/admin/projects/default';
const development = `${project}/features/{flag}/environments/development`;

/** Environments, and what a project has of them. */
const environments: TitledCalls = {
  'an unknown environment': 'GET /api/admin/environments/nowhere',
  'environments in an order': {
    send: 'PUT /api/admin/environments/sort-order',
    body: { development: 2, production: 3 },
  },
  'an order of an unknown environment': { send: 'PUT /api/admin/environments/sort-order', body: { nowhere: 1 } },
  'switch an environment off': 'POST /api/admin/environments/production/off',
  'an environment that is off': 'GET /api/admin/environments/production',
  'switch an environment on': 'POST /api/admin/environments/production/on',
  'switch an unknown environment on': 'POST /api/admin/environments/nowhere/on',
  'environments of an unknown project': 'GET /api/admin/environments/project/nowhere',
  'a default strategy': {
    send: `POST ${project}/environments/production/default-strategy`,
    body: { name: 'flexibleRollout', parameters: { rollout: '25', stickiness: 'default', groupId: 'default' } },
  },
  'a default strategy of another type': {
    send: `POST ${project}/environments/production/default-strategy`,
    body: { name: 'default' },
  },
  'take an environment out': `DELETE ${project}/environments/production`,
  'add it again': { send: `POST ${project}/environments`, body: { environment: 'production' } },
  'add it twice': { send: `POST ${project}/environments`, body: { environment: 'production' } },
  'add an unknown one': { send: `POST ${project}/environments`, body: { environment: 'nowhere' } },
  'a default strategy in no environment': {
    send: `POST ${project}/environments/nowhere/default-strategy`,
    body: { name: 'flexibleRollout' },
  },
};

/** Projects. */
const projects: TitledCalls = {
  'one project': `GET ${project}`,
  'an unknown project': 'GET /api/admin/projects/nowhere',
  'overview of an unknown project': 'GET /api/admin/projects/nowhere/overview',
  'health of a project': `GET ${project}/health-report`,
  'insights of a project': `GET ${project}/insights`,
  'status of a project': `GET ${project}/status`,
  'lead times of a project': `GET ${project}/dora`,
  'who makes flags in a project': `GET ${project}/flag-creators`,
  'applications of a project': { send: `GET ${project}/applications`, own: ['applications'] },
  'outdated SDKs of a project': `GET ${project}/sdks/outdated`,
  'tokens of a project': `GET ${project}/api-tokens`,
  'create a token of a project': {
    send: `POST ${project}/api-tokens`,
    body: { tokenName: '{flag}', type: 'client', environment: 'development', projects: ['default'] },
    keep: { 'project token': 'secret' },
  },
  'delete a token of a project': `DELETE ${project}/api-tokens/{project token}`,
  'archived flags of a project': { send: 'GET /api/admin/archive/features/default', own: ['features'] },
  'like a project': { send: `POST ${project}/favorites`, body: {} },
  'like a project no more': { send: `DELETE ${project}/favorites`, body: {} },
};

/** The password of a person who signs in. */
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
const addons: TitledCalls = {
  'addons and their providers': { send: 'GET /api/admin/addons', own: ['addons'] },
  'create an addon': { send: 'POST /api/admin/addons', body: addon, keep: { addon: 'id' } },
  'create an addon without its parameters': { send: 'POST /api/admin/addons', body: { ...addon, parameters: {} } },
  'create an addon of nobody': { send: 'POST /api/admin/addons', body: { ...addon, provider: 'nobody' } },
  'an addon': 'GET /api/admin/addons/{addon}',
  'an unknown addon': 'GET /api/admin/addons/1000000',
  'update an addon': {
    send: 'PUT /api/admin/addons/{addon}',
    body: { ...addon, parameters: { ...addon.parameters, authorization: '*****' }, events: ['feature-created'] },
  },
  'the addon after that': 'GET /api/admin/addons/{addon}',
  'events of an addon': 'GET /api/admin/addons/{addon}/events',
  'delete an addon': 'DELETE /api/admin/addons/{addon}',
  'delete an unknown addon': 'DELETE /api/admin/addons/1000000',
};

/** The audit log. */
const events: TitledCalls = {
  'the newest events': 'GET /api/admin/events?limit=1',
  'events of a project': 'GET /api/admin/events?project=default&maxResults=1',
  'event creators': { send: 'GET /api/admin/event-creators', own: [''] },
  ...Object.fromEntries(
    [
      'feature=IS:{flag}&type=IS:feature-created',
      'project=IS:default&feature=IS:{flag}&type=IS_ANY_OF:feature-created,feature-tagged&limit=1',
      'query={flag}&type=IS:feature-created',
      'feature=IS:{flag}&type=IS:feature-created&from=IS:2020-01-01&to=IS:2100-01-01',
      'feature=IS:nothing',
      'environment=IS:development&feature=IS:{flag}&type=IS:feature-strategy-add&limit=1',
    ].map((filter) => [`events with ${filter}`, `GET /api/admin/search/events?${filter}`]),
  ),
  'events of an unknown flag': 'GET /api/admin/events/nothing',
  'lifecycle of a flag': `GET ${project}/features/{flag}/lifecycle`,
  'lifecycle counts': 'GET /api/admin/lifecycle/count',
};

/** People, and what they may do. */
const people: TitledCalls = {
  users: { send: 'GET /api/admin/user-admin', own: ['users'] },
  'create a user': {
    send: 'POST /api/admin/user-admin',
    body: { username: '{flag}', email: '{flag}@example.com', name: 'Somebody', rootRole: 2, sendEmail: false },
    keep: { user: 'id' },
  },
  'create the user again': {
    send: 'POST /api/admin/user-admin',
    body: { username: '{flag}', email: '{flag}@example.com', rootRole: 2, sendEmail: false },
  },
  'create a user who is nobody': { send: 'POST /api/admin/user-admin', body: { rootRole: 3 } },
  'create a user of an unknown role': {
    send: 'POST /api/admin/user-admin',
    body: { username: '{flag}-x', rootRole: 9999, sendEmail: false },
  },
  'a user': 'GET /api/admin/user-admin/{user}',
  'an unknown user': 'GET /api/admin/user-admin/1000000',
  'search users': 'GET /api/admin/user-admin/search?q={flag}',
  'update a user': {
    send: 'PUT /api/admin/user-admin/{user}',
    body: { name: 'Somebody else', rootRole: 3, email: '{flag}@example.com' },
  },
  'update a user without an address': {
    send: 'PUT /api/admin/user-admin/{user}',
    body: { name: 'Somebody', email: '' },
  },
  'validate a weak password': { send: 'POST /api/admin/user-admin/validate-password', body: { password: 'weak' } },
  'validate a good password': { send: 'POST /api/admin/user-admin/validate-password', body: { password } },
  'set a password': { send: 'POST /api/admin/user-admin/{user}/change-password', body: { password } },
  'sign in': {
    send: 'POST /auth/simple/login as nobody',
    body: { username: '{flag}', password },
    keep: { session: 'header set-cookie' },
  },
  'who am I': 'GET /api/admin/user as somebody',
  'my profile': 'GET /api/admin/user/profile as somebody',
  'my roles': 'GET /api/admin/user/roles?projectId=default as somebody',
  'my dashboard': 'GET /api/admin/personal-dashboard as somebody',
  'my dashboard of a project': 'GET /api/admin/personal-dashboard/default as somebody',
  'create a personal token': {
    send: 'POST /api/admin/user/tokens as somebody',
    body: { description: '{flag}', expiresAt: '2099-01-01T00:00:00.000Z' },
    keep: { personal: 'id', 'personal token': 'secret' },
  },
  'my personal tokens': 'GET /api/admin/user/tokens as somebody',
  'delete a personal token': 'DELETE /api/admin/user/tokens/{personal} as somebody',
  'dismiss a page': 'POST /api/admin/splash/{flag} as somebody',
  'give feedback': { send: 'POST /api/admin/feedback as somebody', body: { neverShow: false, feedbackId: '{flag}' } },
  'change feedback': {
    send: 'PUT /api/admin/feedback/{flag} as somebody',
    body: { neverShow: true, feedbackId: '{flag}', given: '2026-11-21T10:00:00.000Z' },
  },
  'change my password': {
    send: 'POST /api/admin/user/change-password as somebody',
    body: { password: 'Correct-Horse-8-Battery', confirmPassword: 'Correct-Horse-8-Battery', oldPassword: password },
  },
  'sign in with a wrong password': {
    send: 'POST /auth/simple/login as nobody',
    body: { username: '{flag}', password: 'wrong' },
  },
  'permissions of a user': 'GET /api/admin/user-admin/{user}/permissions',
  'who has access': { send: 'GET /api/admin/user-admin/access', own: ['users', 'groups'] },
  'how many admins': 'GET /api/admin/user-admin/admin-count',
  'inactive users': { send: 'GET /api/admin/user-admin/inactive', own: ['inactiveUsers'] },
  'a link for a new password': {
    send: 'POST /api/admin/user-admin/reset-password',
    body: { id: '{flag}@example.com' },
    keep: { reset: 'query token resetPasswordUrl' },
  },
  'validate a link': 'GET /auth/reset/validate?token={reset} as nobody',
  'validate no link': 'GET /auth/reset/validate?token=nothing as nobody',
  'validate a password for a link': { send: 'POST /auth/reset/validate-password as nobody', body: { password } },
  'set a password by a link': {
    send: 'POST /auth/reset/password as nobody',
    body: { token: '{reset}', password: 'Correct-Horse-9-Battery' },
  },
  'use the link again': {
    send: 'POST /auth/reset/password as nobody',
    body: { token: '{reset}', password: 'Correct-Horse-9-Battery' },
  },
  'a mail with a link': { send: 'POST /auth/reset/password-email as nobody', body: { email: '{flag}@example.com' } },
  'delete no inactive users': { send: 'POST /api/admin/user-admin/inactive/delete', body: { ids: [] } },
  'delete the users of SCIM': 'DELETE /api/admin/user-admin/scim-users',
  'delete a user': 'DELETE /api/admin/user-admin/{user}',
  'delete an unknown user': 'DELETE /api/admin/user-admin/1000000',
  'create an invitation': {
    send: 'POST /api/admin/invite-link/tokens',
    body: { name: '{flag}', expiresAt: '2099-01-01T00:00:00.000Z' },
    keep: { invitation: 'secret' },
  },
  invitations: { send: 'GET /api/admin/invite-link/tokens', own: ['tokens'] },
  'an invitation': 'GET /api/admin/invite-link/tokens/{invitation}',
  'validate an invitation': 'GET /invite/{invitation}/validate as nobody',
  'sign up by an invitation': {
    send: 'POST /invite/{invitation}/signup as nobody',
    body: { username: '{flag}-guest', name: 'Guest', email: '{flag}-guest@example.com', password },
    keep: { guest: 'id' },
  },
  'end an invitation': { send: 'PUT /api/admin/invite-link/tokens/{invitation}', body: { enabled: false } },
  'validate an ended invitation': 'GET /invite/{invitation}/validate as nobody',
  'validate no invitation': 'GET /invite/nothing/validate as nobody',
  'delete the guest': 'DELETE /api/admin/user-admin/{guest}',
  permissions: 'GET /api/admin/permissions',
  'who is nobody': 'GET /api/admin/user as nobody',
};

/** Moving flags. */
const moving: TitledCalls = {
  'export a flag': {
    send: 'POST /api/admin/features-batch/export',
    body: { features: ['{flag}'], environment: 'development', downloadFile: false },
    keep: { exported: '' },
  },
  'export by an unknown tag': {
    send: 'POST /api/admin/features-batch/export',
    body: { tag: 'nothing', environment: 'development' },
  },
  'validate an import': {
    send: 'POST /api/admin/features-batch/validate',
    body: { project: 'default', environment: 'development', data: '{exported}' },
  },
  'import flags': {
    send: 'POST /api/admin/features-batch/import',
    body: { project: 'default', environment: 'development', data: '{exported}' },
  },
  'import into no project': {
    send: 'POST /api/admin/features-batch/import',
    body: { project: 'nowhere', environment: 'development', data: '{exported}' },
  },
};

/** The service itself. */
const service: TitledCalls = {
  maintenance: 'GET /api/admin/maintenance',
  // Unleash forgets the mode before it stores another, so a request in between makes it remember the old one for a minute.
  'maintenance on': { send: 'POST /api/admin/maintenance', body: { enabled: true } },
  'maintenance on again': { send: 'POST /api/admin/maintenance', body: { enabled: true } },
  'create a flag during maintenance': {
    send: `POST ${project}/features`,
    body: { name: '{flag}-late', type: 'release' },
  },
  'read during maintenance': `GET ${development}`,
  'maintenance off': { send: 'POST /api/admin/maintenance', body: { enabled: false } },
  'maintenance off again': { send: 'POST /api/admin/maintenance', body: { enabled: false } },
  statistics: 'GET /api/admin/instance-admin/statistics',
  'statistics as CSV': 'GET /api/admin/instance-admin/statistics/csv',
  'settings of telemetry': 'GET /api/admin/telemetry/settings',
  'an error of the UI': {
    send: 'POST /api/admin/record-ui-error',
    body: { errorMessage: 'broken', errorStack: 'Error: broken' },
  },
  'settings of the UI': 'GET /api/admin/ui-config',
  'sites that may ask': { send: 'POST /api/admin/ui-config/cors', body: { frontendApiOrigins: ['*'] } },
  applications: { send: 'GET /api/admin/metrics/applications', own: ['applications'] },
  'an unknown application': 'GET /api/admin/metrics/applications/nothing',
  'describe an application': {
    send: 'POST /api/admin/metrics/applications/{flag}-app',
    body: { description: 'The shop', icon: 'shop', url: 'https://example.com' },
  },
  'an application': 'GET /api/admin/metrics/applications/{flag}-app',
  'overview of an application': 'GET /api/admin/metrics/applications/{flag}-app/overview',
  'instances of an application': 'GET /api/admin/metrics/instances/{flag}-app/environment/development',
  'delete an application': 'DELETE /api/admin/metrics/applications/{flag}-app',
  'metrics of applications': 'GET /api/admin/custom-metrics',
  'metrics of applications as text': 'GET /api/admin/custom-metrics/prometheus',
  'unknown flags': { send: 'GET /api/admin/metrics/unknown-flags', own: ['unknownFlags'] },
  'metrics of a flag': 'GET /api/admin/client-metrics/features/{flag}',
  'raw metrics of a flag': 'GET /api/admin/client-metrics/features/{flag}/raw',
  'outdated SDKs': 'GET /api/admin/metrics/sdks/outdated',
  'requests per second': 'GET /api/admin/metrics/rps',
  'a lifetime of a feature type': {
    send: 'PUT /api/admin/feature-types/experiment/lifetime',
    body: { lifetimeDays: 41 },
  },
  'a lifetime of no feature type': { send: 'PUT /api/admin/feature-types/nothing/lifetime', body: { lifetimeDays: 1 } },
  'the lifetime as before': { send: 'PUT /api/admin/feature-types/experiment/lifetime', body: { lifetimeDays: 40 } },
  'try a flag in the playground': {
    send: 'POST /api/admin/playground',
    body: {
      environment: 'development',
      projects: ['default'],
      context: { appName: 'web', country: 'CH', userId: 'somebody' },
    },
    own: ['features'],
  },
  'try flags by several contexts': {
    send: 'POST /api/admin/playground/advanced',
    body: {
      environments: ['development'],
      projects: ['default'],
      context: { appName: 'web,shop', userId: 'somebody' },
    },
    own: ['features'],
  },
  ready: 'GET /ready as nobody',
};

/** Everything around a flag that is set up and used. */
export const surroundings = stepsOf(environments, projects, addons, events, people, moving, service);
