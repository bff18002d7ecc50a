import { afterEach, expect, vi } from 'vitest';
import { version } from '../../../lib/http/version.ts';
import { freshService } from '../../harness/service.ts';
import { specify, test } from '../../specifications/specify.ts';

specify('getUiConfig', {
  route: 'GET /api/admin/ui-config',
  may: 'any token',
});

afterEach(() => {
  vi.unstubAllEnvs();
});

test('It says where the service is, and how many there may be of what', async ({ service }) => {
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

test('It names no edition, says whose admin UI it has, and lets that tell nothing that is new in Unleash', async () => {
  const { body } = await (await freshService()).get('/api/admin/ui-config');
  expect(body).toMatchObject({ name: 'Flagstaff', environment: '', version: '7.6.5', slogan: /Unleash 7\.6\.5/ });
  expect(body.versionInfo).toMatchObject({ isLatest: true, current: { oss: version, enterprise: version } });
});

test('It switches off whatever is not offered here, and says who the switches are for', async ({ service }) => {
  const { body } = await service.get('/api/admin/ui-config');
  const { EEA, regexConstraintOperator, ...flags } = body.flags;
  expect([EEA, regexConstraintOperator]).toEqual([true, true]);
  expect(flags).toMatchObject({ signals: false, enableLicense: false, messageBanner: { enabled: false } });
  expect(Object.values(flags).filter((flag) => flag === true)).toEqual([]);
  expect(body.unleashContext).toEqual({ userId: -42 });
});

test('It says when people sign in without passwords', async ({ service }) => {
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
