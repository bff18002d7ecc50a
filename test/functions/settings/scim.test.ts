import { expect } from 'vitest';
import { isScimToken } from '../../../lib/people/scim-settings.ts';
import { contentOf } from '../../harness/items.ts';
import type { Service } from '../../harness/service.ts';
import { serviceEvents } from '../../harness/service-events.ts';
import { openTo, specify, test } from '../../specifications/specify.ts';

const path = '/api/admin/scim-settings';

specify('generateNewScimToken', {
  route: 'POST /api/admin/scim-settings/generate-new-token',
  ...openTo('Admin', 'ADMIN'),
  request: () => ({}),
  versionAt: 'GET /api/admin/scim-settings',
  again: 'once more',
});

specify('getScimSettings', { route: 'GET /api/admin/scim-settings', ...openTo('Admin', 'ADMIN') });

specify('setScimSettings', {
  route: 'POST /api/admin/scim-settings',
  ...openTo('Admin', 'ADMIN'),
  request: async (world) => {
    await world.ask('POST', path, { enabled: false });
    return { body: { enabled: true } };
  },
  required: ['enabled'],
  again: 'nothing',
});

const makeToken = async (service: Service) => (await service.post(`${path}/generate-new-token`)).body.token as string;

test('SCIM is off at first, and stays as it is set', async ({ service }) => {
  expect((await service.get(path)).body).toEqual({ enabled: false, hasToken: false });
  expect((await service.post(path, { enabled: true })).body).toEqual({ enabled: true, hasToken: false });
  await makeToken(service);
  expect((await service.get(path)).body).toEqual({ enabled: true, hasToken: true });
  expect((await service.post(path, { enabled: false })).body).toEqual({ enabled: false, hasToken: true });
});

test('The last token that was made is the only one, and only while SCIM is on', async ({ service }) => {
  const [first, second] = [await makeToken(service), await makeToken(service)];
  const accepted = () => Promise.all([first, second, ''].map((token) => isScimToken(service.table, token)));
  expect(await accepted()).toEqual([false, false, false]);
  await service.post(path, { enabled: true });
  expect(await accepted()).toEqual([false, true, false]);
  await service.post(path, { enabled: false });
  expect(await accepted()).toEqual([false, false, false]);
});

test('Neither the store nor an event has the token', async ({ service }) => {
  const token = await makeToken(service);
  expect(JSON.stringify([await contentOf(service.table), await serviceEvents(service.table)])).not.toContain(token);
});

test('A switch and a new token at the same time both take effect', async ({ service }) => {
  const [token] = await Promise.all([makeToken(service), service.post(path, { enabled: true })]);
  expect(await isScimToken(service.table, token)).toBe(true);
});
