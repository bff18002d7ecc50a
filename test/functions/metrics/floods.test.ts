import { beforeEach, describe, expect, test } from 'vitest';
import { queryAll, readItem } from '../../../lib/store/read.ts';
import { applicationEntity } from '../../../lib/usage/applications/applications.ts';
import * as usageKeys from '../../../lib/usage/keys.ts';
import { flushUsage } from '../../../lib/usage/register-usage.ts';
import { findUsageBuffer } from '../../../lib/usage/usage-buffer.ts';
import { writeCounts } from '../../../lib/usage/write-counts.ts';
import { costIn } from '../../bench/cost/measure.ts';
import { serviceEvents } from '../../harness/service-events.ts';
import { recordStoreRequests } from '../../harness/store-requests.ts';
import { openTo, sharedWorld, specify, worldForEach } from '../../specifications/specify.ts';

specify('createApplication', {
  route: 'POST /api/admin/metrics/applications/{appName}',
  ...openTo('Editor', 'UPDATE_APPLICATION'),
  takesAnyName: ['appName'],
  request: async (world) => ({
    params: { appName: await world.application() },
    body: {
      description: 'The shop',
      url: 'https://example.com/shop',
      color: 'red',
      icon: 'https://example.com/shop.ico',
      strategies: ['default'],
    },
  }),
  others: {
    'of one that is not known': (world) => ({ params: { appName: world.name('app') }, body: { color: 'blue' } }),
  },
  again: 'nothing',
});

describe('Saying something of an application', () => {
  const { service, world } = sharedWorld();
  const path = (appName: string) => `/api/admin/metrics/applications/${encodeURIComponent(appName)}`;
  const read = async (appName: string) => (await service.get(path(appName))).body;

  test('makes it known, with an event, and leaves alone what is left out', async () => {
    const appName = 'web#shop';
    expect(await service.post(path(appName), { url: 'https://example.com', strategies: ['own'] })).toMatchObject({
      status: 202,
      text: '',
    });
    await service.post(path(appName), { color: 'red' });
    expect(await read(appName)).toEqual({
      appName,
      url: 'https://example.com',
      color: 'red',
      strategies: ['own'],
      droppedParts: 0,
      usage: [],
      createdAt: expect.any(String),
      lastSeen: expect.any(String),
    });
    const events = (await serviceEvents(service.table)).filter(({ type }) => type.startsWith('application'));
    expect(events).toMatchObject([
      { type: 'application-created', createdBy: 'admin', data: { appName, url: 'https://example.com', color: null } },
    ]);
  });

  test('stands beside what its SDKs report, whose strategies take precedence', async () => {
    const appName = await world.application();
    await service.post(path(appName), { icon: 'star', strategies: ['own'] });
    expect(await read(appName)).toMatchObject({ icon: 'star', strategies: ['default'], usage: [{ project: '*' }] });
  });

  test('is refused for a name that is too long for a key', async () => {
    expect((await service.post(path('ü'.repeat(256)), {})).status).toBe(400);
    expect((await service.post(path('😀'.repeat(201)), {})).status).toBe(400);
    expect((await service.post(path('😀'.repeat(200)), {})).status).toBe(202);
  });

  test('takes no address that would run as a script', async () => {
    const answer = await service.post(path('scripted'), { url: 'javascript:alert(1)' });
    expect(answer).toMatchObject({ status: 400, body: { details: [{ path: 'url' }] } });
    expect((await service.post(path('scripted'), { url: '' })).status).toBe(202);
  });
});

interface Item {
  readonly sk: string;
  readonly expiresAtSeconds?: number;
}

const day = 24 * 60 * 60;

describe('Reports with invented names', () => {
  let client: string;
  let page: string;
  const { service, world } = worldForEach();
  beforeEach(async () => {
    client = await world.sdkToken('client');
    page = await world.sdkToken('frontend');
  });

  const invented = (count: number, prefix = 'invented') =>
    Array.from({ length: count }, (_, index) => `${prefix}-${index}`);
  const bodyOf = (appName: string, names: readonly string[], more: object = {}) => {
    const toggles = Object.fromEntries(names.map((name) => [name, { yes: 1, no: 0 }]));
    return { appName, bucket: { start: new Date().toISOString(), stop: new Date().toISOString(), toggles }, ...more };
  };
  const reportAsPage = (body: object) => service.post('/api/frontend/client/metrics', body, { token: page });
  const reportAsServer = (body: object) => service.post('/api/client/metrics', body, { token: client });
  const unknown = async (): Promise<{ name: string; reports: { appName: string }[] }[]> => {
    const { status, body } = await service.get('/api/admin/metrics/unknown-flags');
    expect(status).toBe(200);
    return body.unknownFlags;
  };
  const items = (partition: Parameters<typeof queryAll>[1]) => queryAll<Item>(service.table, partition);

  test('of flags cost a page no write each: they are a sum, beside the use of those that are there', async () => {
    const { name } = await world.feature({ on: true });
    await reportAsPage(bodyOf('page', []));
    const requests = await recordStoreRequests(service.table, async () => {
      await reportAsPage(bodyOf('page', [name, ...invented(1_000)]));
      await flushUsage(service.table);
    });
    expect(costIn(requests).writeUnits).toBeLessThan(20);
    expect(await unknown()).toEqual([]);
    expect((await service.get(`/api/admin/client-metrics/features/${name}`)).body.lastHourUsage).toMatchObject([
      { yes: 1 },
    ]);
    expect((await service.get('/api/admin/metrics/applications/page')).body.droppedParts).toBe(1_000);
    expect((await service.get('/api/admin/metrics/applications/page/overview')).body.environments).toMatchObject([
      { issues: { missingFeatures: [] } },
    ]);
  });

  test('of flags from a page are not remembered, however many they are', async () => {
    await reportAsPage(bodyOf('page', []));
    const { size } = findUsageBuffer(service.table);
    for (let count = 0; count < 10; count += 1) await reportAsPage(bodyOf('page', invented(1_000, `new-${count}`)));
    expect(findUsageBuffer(service.table).size).toBeLessThan(size + 10);
  });

  test('of variants are left out of what a page reports of a flag', async () => {
    const { name } = await world.feature({ on: true });
    const toggles = { [name]: { yes: 2, no: 0, variants: { disabled: 1, 'made-up': 1 } } };
    await reportAsPage({
      appName: 'page',
      bucket: { start: new Date().toISOString(), stop: new Date().toISOString(), toggles },
    });
    await flushUsage(service.table);
    const rows = (await service.get(`/api/admin/client-metrics/features/${name}/raw?hoursBack=1`)).body.data;
    expect(rows).toMatchObject([{ yes: 2, variants: { disabled: 1 } }]);
    expect(rows[0].variants).not.toHaveProperty('made-up');
  });

  test('of flags are remembered up to a hundred of an application and a thousand in all', async () => {
    for (let count = 0; count < 12; count += 1)
      await reportAsServer(bodyOf(`app-${count}`, invented(150, `of-${count}`)));
    await flushUsage(service.table);
    const listed = await unknown();
    expect(listed).toHaveLength(1_000);
    const counts = Object.values(Object.groupBy(listed, ({ reports }) => String(reports[0]?.appName)));
    expect(Math.max(...counts.map((some = []) => some.length))).toBe(100);
    expect(await items(usageKeys.unknownFlags())).toHaveLength(1_000);
    expect((await service.get('/api/admin/metrics/applications/app-0')).body.droppedParts).toBe(50);
  });

  test('of applications are known up to five hundred by pages, and what they use beyond is counted together', async () => {
    const { name } = await world.feature({ on: true });
    for (const appName of invented(510, 'page')) await reportAsPage(bodyOf(appName, [name]));
    await reportAsServer(bodyOf('server', [name]));
    await flushUsage(service.table);
    expect(await items(usageKeys.applicationsSeen())).toHaveLength(501);
    const { body } = await service.get(`/api/admin/client-metrics/features/${name}/raw?hoursBack=1`);
    const byApp = new Map(body.data.map(({ appName, yes }: { appName: string; yes: number }) => [appName, yes]));
    expect(byApp.size).toBe(502);
    // No entries are made of these and as many hours, however well they could be compressed.
    const all = await service.get(`/api/admin/client-metrics/features/${name}/raw?hoursBack=720`);
    expect(all).toMatchObject({ status: 413, body: { message: expect.stringContaining('fewer hours') } });
    expect(byApp.get('others')).toBe(10);
    expect(await readItem(service.table, usageKeys.applicationSeen('server'))).toBeDefined();
    expect(await readItem(service.table, usageKeys.applicationSeen('page-509'))).toBeUndefined();
  });

  test('of instances and SDKs are known up to a limit', async () => {
    const register = (body: object) => service.post('/api/frontend/client/register', body, { token: page });
    for (const instanceId of invented(110, 'tab')) {
      await register({ appName: 'page', instanceId, sdkVersion: `sdk:${instanceId}`, strategies: ['made-up'] });
    }
    await flushUsage(service.table);
    expect(await items(usageKeys.allInstances('page'))).toHaveLength(100);
    expect((await items(usageKeys.applicationSdks())).length).toBeLessThanOrEqual(1_000);
    expect((await service.get('/api/admin/metrics/applications/page')).body.strategies).toEqual([]);
  });

  test('end by themselves: applications that nobody has described after thirty days', async () => {
    await reportAsServer(bodyOf('shop', []));
    await reportAsServer(bodyOf('described', []));
    await flushUsage(service.table);
    await service.post('/api/admin/metrics/applications/described', { description: 'Sells things' });
    const endsOf = async (key: ReturnType<typeof applicationEntity.keyOf>) =>
      (await readItem<Item>(service.table, key))?.expiresAtSeconds;
    for (const end of [
      await endsOf(applicationEntity.keyOf('shop')),
      await endsOf(usageKeys.applicationSeen('shop')),
    ]) {
      expect(end).toBeGreaterThan(Date.now() / 1_000 + 29 * day);
      expect(end).toBeLessThan(Date.now() / 1_000 + 31 * day);
    }
    expect(await endsOf(applicationEntity.keyOf('described'))).toBeUndefined();

    const set = { expiresAtSeconds: Math.floor(Date.now() / 1_000) - 1 };
    for (const appName of ['shop', 'described'])
      await writeCounts(service.table, { key: usageKeys.applicationSeen(appName), set });
    await writeCounts(service.table, { key: applicationEntity.keyOf('shop'), set });
    const names = (await service.get('/api/admin/metrics/applications')).body.applications;
    expect(names).toMatchObject([{ appName: 'described' }]);
    expect((await service.get('/api/admin/metrics/applications/shop')).status).toBe(404);
    expect((await service.get('/api/admin/metrics/applications/described')).status).toBe(200);
  });
});
