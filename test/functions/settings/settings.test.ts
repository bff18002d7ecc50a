import { expect } from 'vitest';
import { chunksOf } from '../../../lib/features/items/chunks.ts';
import * as keys from '../../../lib/store/keys.ts';
import { transact } from '../../../lib/store/transactions/transact.ts';
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

specify('getChangeRequestSettings', {
  route: 'GET /api/admin/change-requests/settings',
  ...openTo('Admin', 'ADMIN'),
});

specify('getInstanceAdminStatsCsv', {
  route: 'GET /api/admin/instance-admin/statistics/csv',
  ...openTo('Admin', 'ADMIN'),
  given: async (world) => {
    const constraints = [{ contextName: 'userId', operator: 'IN', values: ['1'] }];
    await world.feature({ project: await world.project(), strategies: [{ name: 'default', constraints }] });
  },
  // Which projects there are, then each of them, then the events.
  waits: 3,
});

specify('getMaintenance', {
  route: 'GET /api/admin/maintenance',
  ...openTo('Admin', 'ADMIN', 'UPDATE_MAINTENANCE_MODE'),
});

specify('getOidcSettings', {
  route: 'GET /api/admin/auth/oidc/settings',
  ...openTo('Admin', 'ADMIN'),
});

test('The settings of OpenID Connect are answered as stored, with the secret; or off', async ({ service }) => {
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

specify('getSimpleSettings', {
  route: 'GET /api/admin/auth/simple/settings',
  may: 'any token',
});

specify('getTelemetrySettings', {
  route: 'GET /api/admin/telemetry/settings',
  may: 'any token',
});

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

test('A screen or a question has an id that a key has room for, whatever its characters', async ({ service }) => {
  for (const [length, status] of [
    [250, 200],
    [251, 400],
  ] as const) {
    const id = '\u{1f600}'.repeat(length);
    expect((await service.post(`/api/admin/splash/${encodeURIComponent(id)}`)).status).toBe(status);
    expect((await service.post('/api/admin/feedback', { feedbackId: id })).status).toBe(status);
  }
});

test('Of a user 200 screens and questions are kept, which can be noted again', async ({ service, world }) => {
  const user = await world.user();
  const { secret: token } = await world.pat(user);
  const note = async (id: number) =>
    (await service.post(`/api/admin/splash/screen-${id}`, undefined, { token })).status;
  const screens = Array.from({ length: 199 }, (_, id) => `screen-${id}`);
  for (const some of chunksOf(screens.slice(1), 100)) {
    const item = (splashId: string) => ({ splashId, userId: user.id, seen: true });
    const writes = some.map((id) => ({ put: keys.uiState(user.id, 'SPLASH', id), item: item(id) }));
    await transact(service.table, writes, undefined);
  }
  expect(await note(0)).toBe(200);
  const answering = { feedbackId: 'question' };
  expect((await service.post('/api/admin/feedback', answering, { token })).status).toBe(200);
  expect(await note(200)).toBe(400);
  expect(await note(0)).toBe(200);
  expect((await service.post('/api/admin/feedback', { feedbackId: 'another' }, { token })).status).toBe(400);
});
