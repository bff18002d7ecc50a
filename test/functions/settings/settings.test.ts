import { createHash } from 'node:crypto';
import { describe, expect, vi } from 'vitest';
import * as registry from '../../../functions/index.ts';
import { setChangeRequestSettings } from '../../../lib/change-requests/settings.ts';
import { systemUser } from '../../../lib/events/actor.ts';
import { type Endpoint, isMutation } from '../../../lib/http/declaration.ts';
import { version } from '../../../lib/http/version.ts';
import { forget } from '../../../lib/identity/identity-memory.ts';
import * as peopleKeys from '../../../lib/identity/keys.ts';
import { transact } from '../../../lib/store/transactions/transact.ts';
import { chunksOf } from '../../../lib/values/lists.ts';
import { problemPaths } from '../../harness/features.ts';
import { nextMillisecond } from '../../harness/next-millisecond.ts';
import { protect } from '../../harness/protection.ts';
import { freshService } from '../../harness/service.ts';
import { serviceEvents } from '../../harness/service-events.ts';
import type { World } from '../../harness/world.ts';
import { oidc, saml } from '../../specifications/bodies.ts';
import { openTo, specify, test } from '../../specifications/specify.ts';

specify('createFeedback', {
  route: 'POST /api/admin/feedback',
  unversioned: 'it is what a user interface remembers',
  may: 'any token',
  request: (world) => ({ body: { feedbackId: world.name('question'), neverShow: true } }),
  required: ['feedbackId'],
  again: 'once more',
});

specify('getChangeRequestSettings', { route: 'GET /api/admin/change-requests/settings', ...openTo('Admin', 'ADMIN') });

const statistics = {
  may: 'any token' as const,
  given: async (world: World) => {
    const constraints = [{ contextName: 'userId', operator: 'IN', values: ['1'] }];
    await world.feature({ project: await world.project(), strategies: [{ name: 'default', constraints }] });
  },
  // Which projects there are, then each of them, then the events.
  waits: 3,
};

specify('getInstanceAdminStatsCsv', { route: 'GET /api/admin/instance-admin/statistics/csv', ...statistics });

specify('getMaintenance', {
  route: 'GET /api/admin/maintenance',
  ...openTo('Admin', 'ADMIN', 'UPDATE_MAINTENANCE_MODE'),
});

specify('getOidcSettings', { route: 'GET /api/admin/auth/oidc/settings', ...openTo('Admin', 'ADMIN') });

test('The settings of OpenID Connect are shown with the secret, or as off', async ({ service }) => {
  const path = '/api/admin/auth/oidc/settings';
  expect((await service.get(path)).body).toEqual({ enabled: false, defaultRootRoleId: 3 });
  await service.post(path, oidc('client'));
  expect((await service.get(path)).body).toEqual(oidc('client'));
});

specify('getSamlSettings', {
  route: 'GET /api/admin/auth/saml/settings',
  ...openTo('Admin', 'ADMIN'),
  given: (world) => world.ask('POST', '/api/admin/auth/saml/settings', saml('https://idp.example.com')),
});

specify('getSimpleSettings', { route: 'GET /api/admin/auth/simple/settings', may: 'any token' });

specify('getTelemetrySettings', { route: 'GET /api/admin/telemetry/settings', may: 'any token' });

specify('setSamlSettings', {
  route: 'POST /api/admin/auth/saml/settings',
  ...openTo('Admin', 'ADMIN'),
  request: (world) => ({ body: saml(`https://${world.name('idp')}.example.com`) }),
  others: {
    'in place of others': async (world) => {
      await world.ask('POST', '/api/admin/auth/saml/settings', saml('https://idp.example.com'));
      return { body: saml(`https://${world.name('idp')}.example.com`) };
    },
  },
  required: ['entityId', 'signOnUrl', 'certificate'],
});

specify('uiObservability', {
  route: 'POST /api/admin/record-ui-error',
  may: 'any token',
  request: () => ({ body: { errorMessage: 'x is undefined', errorStack: 'at main.js:1' } }),
  required: ['errorMessage'],
});

specify('updateFeedback', {
  route: 'PUT /api/admin/feedback/{id}',
  unversioned: 'it is what a user interface remembers',
  may: 'any token',
  request: (world) => ({
    params: { id: world.name('question') },
    body: { neverShow: false, given: '2026-11-22T06:23:52.724Z' },
  }),
  takesAnyName: ['id'],
  nullable: ['given'],
  again: 'once more',
});

specify('updateSplashSettings', {
  route: 'POST /api/admin/splash/{id}',
  unversioned: 'it is what a user interface remembers',
  may: 'any token',
  request: (world) => ({ params: { id: world.name('screen') } }),
  takesAnyName: ['id'],
  again: 'once more',
});

test('The id of a splash screen or a question may have any characters, but must fit a key', async ({ service }) => {
  for (const [length, status] of [
    [250, 200],
    [251, 400],
  ] as const) {
    const id = '\u{1f600}'.repeat(length);
    expect((await service.post(`/api/admin/splash/${encodeURIComponent(id)}`)).status).toBe(status);
    expect((await service.post('/api/admin/feedback', { feedbackId: id })).status).toBe(status);
  }
});

test('At most 200 splash screens and questions are stored per user', async ({ service, world }) => {
  const user = await world.user();
  const { secret: token } = await world.pat(user);
  const note = async (id: number) =>
    (await service.post(`/api/admin/splash/screen-${id}`, undefined, { token })).status;
  const screens = Array.from({ length: 199 }, (_, id) => `screen-${id}`);
  for (const some of chunksOf(screens.slice(1), 100)) {
    const item = (splashId: string) => ({ splashId, userId: user.id, seen: true });
    const writes = some.map((id) => ({ put: peopleKeys.uiState(user.id, 'SPLASH', id), item: item(id) }));
    await transact(service.table, writes, undefined);
  }
  expect(await note(0)).toBe(200);
  const answering = { feedbackId: 'question' };
  expect((await service.post('/api/admin/feedback', answering, { token })).status).toBe(200);
  expect(await note(200)).toBe(400);
  expect(await note(0)).toBe(200);
  expect((await service.post('/api/admin/feedback', { feedbackId: 'another' }, { token })).status).toBe(400);
});

specify('setCors', {
  route: 'POST /api/admin/ui-config/cors',
  unversioned: 'it is read with much else',
  ...openTo('Admin', 'ADMIN', 'UPDATE_CORS'),
  request: (world) => ({ body: { frontendApiOrigins: [`https://${world.name('shop')}.example.com`] } }),
  required: ['frontendApiOrigins'],
  again: 'nothing',
});

test('Only pages of the allowed origins may read replies of the frontend API', async ({ service, world }) => {
  const token = await world.frontendToken();
  const originFor = async (origin: string, method = 'GET') => {
    const { headers } = await service.call(method, '/api/frontend', { token, headers: { origin } });
    return headers['access-control-allow-origin'];
  };
  expect(await originFor('https://a.example.com')).toBe('*');
  const set = (...frontendApiOrigins: string[]) => service.post('/api/admin/ui-config/cors', { frontendApiOrigins });
  expect(await set('https://a.example.com', 'https://b.example.com:8443')).toMatchObject({ status: 204 });
  expect(await originFor('https://a.example.com')).toBe('https://a.example.com');
  expect(await originFor('https://b.example.com:8443', 'OPTIONS')).toBe('https://b.example.com:8443');
  expect(await originFor('https://c.example.com')).toBeUndefined();
  // As in a process whose first caller has no good token.
  for (const [origin, seen] of [
    ['https://a.example.com', 'https://a.example.com'],
    ['https://c.example.com'],
  ] as const) {
    forget(service.table, 'unleash.frontend');
    const { status, headers } = await service.get('/api/frontend', { token: null, headers: { origin } });
    expect([status, headers['access-control-allow-origin']]).toEqual([401, seen]);
  }
  const { body } = await service.get('/api/admin/ui-config');
  expect(body.frontendApiOrigins).toEqual(['https://a.example.com', 'https://b.example.com:8443']);
  await set();
  expect(await originFor('https://a.example.com')).toBeUndefined();
});

test('A star stands for one subdomain only', async ({ service, world }) => {
  const token = await world.frontendToken();
  const frontendApiOrigins = ['https://*.example.org', 'http://*.localhost:3000'];
  expect(await service.post('/api/admin/ui-config/cors', { frontendApiOrigins })).toMatchObject({ status: 204 });
  const isLetIn = async (origin: string) => {
    const { headers } = await service.get('/api/frontend', { token, headers: { origin } });
    return headers['access-control-allow-origin'] === origin;
  };
  for (const origin of ['https://shop.example.org', 'https://xn--bcher-kva.example.org', 'http://a.localhost:3000']) {
    expect(await isLetIn(origin), origin).toBe(true);
  }
  const others = [
    ...['https://example.org', 'https://.example.org', 'https://a.b.example.org'],
    ...['http://shop.example.org', 'https://shop.example.org:8443', 'https://evil.com/.example.org'],
    ...['https://evil.com#.example.org', 'https://user@shop.example.org', 'https://shop.example.org.evil.com', 'null'],
  ];
  for (const origin of others) expect(await isLetIn(origin), origin).toBe(false);
});

test('Each invalid origin is named', async ({ service }) => {
  const bad = [
    ...['nonsense', 'https://*.com', 'https://a.example.com/', 'https://*', 'https://*shop.a.com', '*.example.com'],
    ...['https://a.*.example.com', 'https://*.*.example.com', 'https://*.10.0.0.1', 'ftp://*.example.com'],
  ];
  const frontendApiOrigins = [...bad, 'https://a.example.com'];
  const refused = await service.post('/api/admin/ui-config/cors', { frontendApiOrigins });
  expect(problemPaths(refused)).toEqual(bad.map((_, index) => `frontendApiOrigins.${index}`));
});

specify('toggleMaintenance', {
  route: 'POST /api/admin/maintenance',
  ...openTo('Admin', 'ADMIN', 'UPDATE_MAINTENANCE_MODE'),
  request: async () => {
    await nextMillisecond();
    return { body: { enabled: false } };
  },
  required: ['enabled'],
  again: 'once more',
});

/** All that change something but the switch itself, and signing in and out. */
const mutations = Object.entries<Endpoint>(registry).filter(
  ([, { declaration }]) =>
    // Directories have a token of their own.
    isMutation(declaration) && !declaration.duringMaintenance && declaration.protocol !== 'SCIM',
);

test('In maintenance mode every change is a 503, while reads, checks and SDKs work', async ({ service, world }) => {
  const feature = await world.feature({ on: true });
  const clientToken = await world.clientToken();
  const maintain = (enabled: boolean) => service.post('/api/admin/maintenance', { enabled });
  expect(await maintain(true)).toMatchObject({ status: 204, text: '' });
  expect((await service.get('/api/admin/maintenance')).body).toEqual({ enabled: true });
  expect((await service.get('/api/admin/ui-config')).body.maintenanceMode).toBe(true);

  const before = await serviceEvents(service.table);
  for (const [operationId, { declaration }] of mutations) {
    const target = declaration.path.replaceAll(/\{\w+\}/g, feature.name);
    const { status, body, headers } = await service.call(declaration.method, target, { body: {} });
    expect([operationId, status]).toEqual([operationId, 503]);
    expect(body.message).toContain('maintenance');
    expect(headers['retry-after']).toBeDefined();
  }
  expect(await service.post('/api/admin/maintenance', { enabled: true }, { token: null })).toMatchObject({
    status: 401,
  });
  expect(await serviceEvents(service.table)).toEqual(before);

  const { projectId, featureName } = feature.place;
  expect(await service.get(`/api/admin/projects/${projectId}/features/${featureName}`)).toMatchObject({ status: 200 });
  expect(await service.post('/api/admin/segments/validate', { name: 'new' })).toMatchObject({ status: 204 });
  const features = await service.get('/api/client/features', { token: clientToken });
  expect(features.body.features).toMatchObject([{ name: featureName, enabled: true }]);
  const report = { appName: 'shop', interval: 10, started: new Date().toISOString(), strategies: [] };
  expect(await service.post('/api/client/register', report, { token: clientToken })).toMatchObject({ status: 202 });

  await maintain(false);
  expect(await service.post('/api/admin/tag-types', { name: 'team' })).toMatchObject({ status: 201 });
  const types = (await serviceEvents(service.table)).slice(before.length - 1).map(({ type, data }) => [type, data]);
  expect(types).toContainEqual(['setting-updated', { id: 'maintenance.mode', hideEventDetails: true }]);
});

specify('setChangeRequestSettings', {
  route: 'PUT /api/admin/change-requests/settings',
  ...openTo('Admin', 'ADMIN'),
  request: async ({ service: { table } }) => {
    await setChangeRequestSettings(table, systemUser, { adminsSkip: true });
    return { body: { adminsSkip: false, lateMinutesMax: 60, expiryDays: 90 } };
  },
  required: ['adminsSkip'],
  nullable: ['lateMinutesMax', 'expiryDays'],
  again: 'nothing',
  waits: 3,
});

test('Admins need approval if the setting says so, unless a role lets them skip it', async ({ service, world }) => {
  const { place } = await world.feature({ on: true });
  await protect(service.table, place);
  const path = `/api/admin/projects/${place.projectId}/features/${place.featureName}/environments/${place.environment}`;
  const skip = await world.role({ permissions: [{ name: 'SKIP_CHANGE_REQUEST', environment: place.environment }] });
  const admin = await world.tokenOfRole(1);
  const skipping = await world.tokenOfRole(1, [{ project: place.projectId, roles: [skip] }]);
  const statuses = async () => {
    const answers = [];
    for (const token of [service.adminToken, admin, skipping]) {
      await service.post(`${path}/on`, {}, { token: skipping });
      answers.push((await service.post(`${path}/off`, {}, { token })).status);
    }
    return answers;
  };
  const others = { lateMinutesMax: null, expiryDays: null };
  const shown = async () => (await service.get('/api/admin/change-requests/settings')).body;
  expect(await shown()).toEqual({ adminsSkip: true, ...others });
  expect(await statuses()).toEqual([200, 200, 200]);
  await service.put('/api/admin/change-requests/settings', { adminsSkip: false });
  expect(await shown()).toEqual({ adminsSkip: false, ...others });
  expect(await statuses()).toEqual([403, 403, 200]);
  await service.put('/api/admin/change-requests/settings', { adminsSkip: true });
  expect(await statuses()).toEqual([200, 200, 200]);
});

specify('getInstanceAdminStats', { route: 'GET /api/admin/instance-admin/statistics', ...statistics });

test('Resource limits show the most constraints and values of a live feature', async ({ service, world }) => {
  const constraint = (...values: string[]) => ({ contextName: 'userId', operator: 'IN', values });
  const mostOf = async () => {
    const { maxConstraints, maxConstraintValues } = (await service.get('/api/admin/instance-admin/statistics')).body;
    return { maxConstraints, maxConstraintValues };
  };
  await world.feature({ strategies: [{ name: 'default' }] });
  expect(await mostOf()).toEqual({ maxConstraints: 0, maxConstraintValues: 0 });
  await world.feature({ strategies: [{ name: 'default', constraints: [constraint('1'), constraint('2')] }] });
  // A disabled strategy counts, and one of an archived feature does not.
  const values = [constraint('1', '2', '3')];
  await world.feature({
    environment: 'production',
    strategies: [{ name: 'default', disabled: true, constraints: values }],
  });
  const many = [constraint('1', '2', '3', '4'), constraint('1'), constraint('1')];
  await world.feature({ archived: true, strategies: [{ name: 'default', constraints: many }] });
  expect(await mostOf()).toEqual({ maxConstraints: 2, maxConstraintValues: 3 });
});

test('The statistics of the instance count things, and changes in production', async ({ service, world }) => {
  await world.feature({ environment: 'production', on: true, strategies: [{ name: 'default' }, { name: 'default' }] });
  await world.feature({ archived: true });
  await world.clientToken();
  const path = '/api/admin/instance-admin/statistics';
  const { body } = await service.get(path);
  expect(body).toMatchObject({
    featureToggles: 1,
    archivedFeatureToggles: 1,
    projects: 1,
    users: 1,
    apiTokens: { admin: 1, client: 1, frontend: 0 },
    featureImports: 2,
    maxEnvironmentStrategies: 2,
    SAMLenabled: false,
    OIDCenabled: false,
    passwordAuthEnabled: true,
    activeUsers: { last7: 0, last90: 0 },
  });
  // An instance of Unleash 7.6.5 makes it of these.
  const summed = [body.instanceId, 1, 1, 1, body.roles, body.groups, body.environments, body.segments].join('');
  expect(body.sum).toBe(createHash('sha256').update(summed).digest('hex'));
  expect(body.productionChanges.last30).toBeGreaterThan(0);
  expect((await service.get(path)).body.instanceId).toBe(body.instanceId);

  const csv = (await service.get(`${path}/csv`)).text.split('\n');
  expect(csv).toHaveLength(2);
  expect(csv[0]?.split(',')).toEqual(Object.keys(body).map((name) => `"${name}"`));
  expect(csv[1]).toContain(`"{""admin"":1,""client"":1,""frontend"":0}"`);
});

specify('getUiConfig', { route: 'GET /api/admin/ui-config', may: 'any token' });

describe('The configuration of the admin UI', () => {
  test('has the address of the service, and limits', async ({ service }) => {
    vi.stubEnv('PUBLIC_URL', 'https://flags.example.com');
    const { body } = await service.get('/api/admin/ui-config');
    expect(body).toMatchObject({
      unleashUrl: 'https://flags.example.com',
      baseUriPath: '',
      frontendApiOrigins: ['*'],
      maintenanceMode: false,
      resourceLimits: {
        ...{ featureEnvironmentStrategies: 30, constraints: 30, constraintValues: 250, segments: 300 },
        ...{ apiTokens: 2_000, projects: 500, environments: 50, featureFlags: 500 * 20_000 },
      },
    });
    vi.stubEnv('API_TOKENS_LIMIT', '7');
    expect((await service.get('/api/admin/ui-config')).body.resourceLimits.apiTokens).toBe(7);
    expect((await service.get('/api/admin/ui-config')).body.versionInfo.instanceId).toBe(body.versionInfo.instanceId);
  });

  test('names no edition, and hides news about Unleash', async () => {
    const { body } = await (await freshService()).get('/api/admin/ui-config');
    expect(body).toMatchObject({ name: 'Flagstaff', environment: '', version: '7.6.5', slogan: /Unleash 7\.6\.5/ });
    expect(body.versionInfo).toMatchObject({ isLatest: true, current: { oss: version, enterprise: version } });
  });

  test('switches off features of Unleash that are missing here', async ({ service }) => {
    const { body } = await service.get('/api/admin/ui-config');
    expect(body.flags).toMatchObject({ signals: false, enableLicense: false, messageBanner: { enabled: false } });
    const on = Object.keys(body.flags).filter((flag) => body.flags[flag] === true);
    expect(on.toSorted()).toEqual([
      ...['EEA', 'impactMetrics', 'impactMetricsFlagPage', 'milestoneProgression', 'multiMetricChart'],
      ...['regexConstraintOperator', 'safeguards'],
    ]);
    expect(body.resourceLimits.releaseTemplates).toBeGreaterThan(0);
    expect(body.unleashContext).toEqual({ userId: -42 });
  });

  test('says if passwords are switched off', async ({ service }) => {
    const isWithout = async () => (await service.get('/api/admin/ui-config')).body.disablePasswordAuth;
    expect(await isWithout()).toBe(false);
    await service.post('/api/admin/auth/oidc/settings', {
      ...{
        enabled: true,
        clientId: 'client-of-ours',
        secret: 'a-secret-of-others',
        discoverUrl: 'https://id.example.com',
      },
    });
    await service.post('/api/admin/auth/simple/settings', { disabled: true });
    expect(await isWithout()).toBe(true);
  });
});
