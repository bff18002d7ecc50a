import { afterEach, beforeEach, describe, expect, vi } from 'vitest';
import { ApiError } from '../../../lib/errors.ts';
import * as useKeys from '../../../lib/features/use/keys.ts';
import { queryAll, readItem } from '../../../lib/store/read.ts';
import * as usageKeys from '../../../lib/usage/keys.ts';
import { findUsageBuffer } from '../../../lib/usage/usage-buffer.ts';
import { writeCounts } from '../../../lib/usage/write-counts.ts';
import { paths } from '../../harness/features.ts';
import { recordStoreRequests } from '../../harness/store-requests.ts';
import { test, worldForEach } from '../../specifications/specify.ts';

describe('The use of features', () => {
  let token: string;
  const { service, world } = worldForEach();
  beforeEach(async () => {
    // Usage is counted by the hour, and none may begin meanwhile.
    if (new Date().getMinutes() === 59) vi.setSystemTime(Date.now() + 60_000);
    token = await world.sdkToken('client');
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const start = () => new Date().toISOString();
  const bucketOf = (toggles: object) => ({ start: start(), stop: start(), toggles });
  const report = (appName: string, toggles: object, more: object = {}) =>
    service.post('/api/client/metrics', { appName, instanceId: 'one', bucket: bucketOf(toggles), ...more }, { token });
  const summary = async (name: string) => (await service.get(`/api/admin/client-metrics/features/${name}`)).body;
  const raw = async (name: string, query = '') =>
    (await service.get(`/api/admin/client-metrics/features/${name}/raw${query}`)).body.data;

  /** As if so much time had passed since the last time. */
  function later(ms: number): void {
    const now = performance.now() + ms;
    vi.spyOn(performance, 'now').mockReturnValue(now);
  }

  test('that a lone instance reports shows at once', async () => {
    const { name } = await world.feature({ on: true });
    expect((await report('shop', { [name]: { yes: 3, no: 1, variants: { blue: 3 } } })).status).toBe(202);
    expect(await summary(name)).toMatchObject({
      featureName: name,
      lastHourUsage: [{ environment: 'development', yes: 3, no: 1 }],
      seenApplications: ['shop'],
    });
    const rows = await raw(name);
    expect(rows).toHaveLength(48);
    expect(rows.at(-1)).toMatchObject({
      appName: 'shop',
      environment: 'development',
      yes: 3,
      no: 1,
      variants: { blue: 3 },
    });
    expect(rows[0]).toMatchObject({ yes: 0, no: 0, variants: {} });
    expect(await raw(name, '?hoursBack=1')).toHaveLength(1);
  });

  test('is added up, and written once a minute', async () => {
    const { name } = await world.feature({ on: true });
    await report('shop', { [name]: { yes: 1 } });
    const requests = await recordStoreRequests(service.table, async () => {
      for (let count = 0; count < 4; count += 1) await report('shop', { [name]: { yes: 1, no: 2 } });
    });
    // Whether features have changed is asked once a second.
    expect(requests.filter(({ command }) => !['Query', 'BatchGet'].includes(command))).toEqual([]);
    later(60_001);
    await report('blog', { [name]: { yes: 5 } });
    expect(await summary(name)).toMatchObject({
      lastHourUsage: [{ yes: 10, no: 8 }],
      seenApplications: ['blog', 'shop'],
    });
  });

  test('is written, and who uses it is noted again, by the time that has passed while the process was frozen', async () => {
    const { name } = await world.feature({ on: true });
    vi.spyOn(performance, 'now').mockReturnValue(performance.now());
    const seenAt = async () => (await service.get('/api/admin/metrics/applications/shop')).body.lastSeen;
    for (let count = 0; count < 3; count += 1) await report('shop', { [name]: { yes: 1 } });
    const before = await seenAt();
    vi.setSystemTime(Date.now() + 60 * 60_000);
    await report('shop', { [name]: { yes: 1 } });
    expect((await raw(name)).reduce((sum: number, { yes }: { yes: number }) => sum + yes, 0)).toBe(4);
    expect((await seenAt()) > before).toBe(true);
  });

  test('follows within a minute in when an application, its instance and a feature were last seen', async () => {
    const { name } = await world.feature({ on: true });
    const times = async () => {
      const instances = await service.get('/api/admin/metrics/instances/shop/environment/development');
      return [
        (await service.get('/api/admin/metrics/applications/shop')).body.lastSeen,
        instances.body.instances[0].lastSeen,
        (await service.get(paths.feature(name))).body.lastSeenAt,
      ];
    };
    vi.spyOn(performance, 'now').mockReturnValue(performance.now());
    await report('shop', { [name]: { yes: 1 } });
    const before = await times();
    vi.setSystemTime(Date.now() + 60_000);
    await report('shop', { [name]: { yes: 1 } });
    for (const [index, time] of (await times()).entries()) expect(time > before[index]).toBe(true);
  });

  test('of flags that are not there is not counted, but remembered with who asked for them', async () => {
    await report('shop', { missing: { yes: 0, no: 3 } });
    expect(await summary('missing')).toMatchObject({ lastHourUsage: [], seenApplications: [] });
    const unknown = await readItem(service.table, usageKeys.unknownFlag('missing', 'development', 'shop'));
    expect(unknown).toMatchObject({ lastSeenAt: expect.any(String), expiresAtSeconds: expect.any(Number) });
  });

  const variantsOf = (part: number, length = 1) =>
    Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`${part}-${index}`.padEnd(length, 'x'), 1]));

  test('with more variants, and of a token of more projects, than one expression of the store names is written', async () => {
    const { name } = await world.feature({ on: true });
    const some = Array.from({ length: 499 }, (_, index) => `project-${index}`);
    token = await world.clientToken({ projects: ['default', ...some] });
    for (let part = 0; part < 6; part += 1) await report('shop', { [name]: { yes: 1, variants: variantsOf(part) } });
    later(60_001);
    await report('shop', { [name]: { yes: 1 } });
    expect(findUsageBuffer(service.table).size).toBe(0);
    const [row] = await raw(name, '?hoursBack=1');
    expect(row.yes).toBe(7);
    expect(Object.keys(row.variants)).toHaveLength(600);
    const { body } = await service.get('/api/admin/metrics/applications/shop');
    expect(body.usage).toHaveLength(500);
  });

  test('with more variants than an item holds keeps nothing else from being written', async () => {
    const { name } = await world.feature({ on: true });
    const hour = start().slice(0, 13);
    const usageBy = (app: string) => useKeys.usage(name, hour, 'development', app);
    // As many as are written at once: one that is new, and others that earlier reports have filled all but a little.
    for (let app = 0; app < 16; app += 1) {
      const appName = `app-${app}`;
      const common = { featureName: name, appName, environment: 'development', timestamp: start(), yes: 1 };
      if (app > 0) await writeCounts(service.table, { key: usageBy(appName), set: { filled: 'x'.repeat(405_000) } });
      const parts = Array.from({ length: app === 0 ? 50 : 1 }, (_, part) => part);
      const metrics = parts.map((part) => ({ ...common, variants: variantsOf(part, 95) }));
      expect((await service.post('/api/client/metrics/bulk', { metrics }, { token })).status).toBe(202);
    }
    later(60_001);
    await report('shop', { [name]: { yes: 1 } });
    later(60_001);
    await report('shop', { [name]: { yes: 2 } });
    expect(findUsageBuffer(service.table).size).toBe(0);
    expect(await readItem(service.table, usageBy('app-1'))).not.toHaveProperty('yes');
    expect(await readItem(service.table, usageBy('shop'))).toMatchObject({ yes: 3 });
  });

  test('is not lost while the store is out of reach, and no SDK hears of it', async () => {
    const { name } = await world.feature({ on: true });
    await report('shop', { [name]: { yes: 1 } });
    await report('shop', { [name]: { yes: 1 } });
    const send = vi
      .spyOn(service.table.store.client, 'send')
      .mockRejectedValue(new ApiError('ServiceUnavailable', 'The store is out of reach.') as never);
    later(61_000);
    expect((await report('shop', { [name]: { yes: 1 } })).status).toBe(202);
    send.mockRestore();
    later(61_000);
    await report('shop', { [name]: { yes: 1 } });
    expect(await summary(name)).toMatchObject({ lastHourUsage: [{ yes: 4 }] });
  });

  test('that comes while the store takes none is not replaced by an earlier one', async () => {
    const memory = findUsageBuffer(service.table);
    const key = { pk: 'CUSTOM_METRICS', sk: 'one' };
    memory.set(key, { value: 'earlier' });
    const send = vi.spyOn(service.table.store.client, 'send').mockImplementation((async () => {
      memory.set(key, { value: 'later' });
      throw new ApiError('ServiceUnavailable', 'The store is out of reach.');
    }) as never);
    await memory.flush(service.table);
    send.mockRestore();
    await memory.flush(service.table);
    expect(await readItem(service.table, key)).toMatchObject({ value: 'later' });
  });

  test('that one report makes up is counted up to a thousand features', async () => {
    const toggles = Object.fromEntries(Array.from({ length: 3_000 }, (_, index) => [`flag-${index}`, { yes: 1 }]));
    vi.spyOn(performance, 'now').mockReturnValue(performance.now());
    await report('first', {});
    expect((await report('shop', toggles)).status).toBe(202);
    expect(findUsageBuffer(service.table).size).toBeLessThanOrEqual(2_002);
  });

  test('has an end: everything that counts it expires', async () => {
    const { name } = await world.feature({ on: true });
    await report('shop', { [name]: { yes: 1 } });
    const items = await queryAll<{ expiresAtSeconds?: number }>(service.table, { pk: `USAGE#${name}` });
    expect(items).toHaveLength(1);
    const days = ((items[0]?.expiresAtSeconds ?? 0) - Date.now() / 1_000) / (24 * 60 * 60);
    expect(days).toBeGreaterThan(29);
    expect(days).toBeLessThanOrEqual(30);
    // Also what is counted of an application that was deleted.
    await service.call('DELETE', '/api/admin/metrics/applications/shop');
    later(60_001);
    await report('shop', { 'no name': { yes: 1 } });
    const counted = await readItem(service.table, usageKeys.applicationSeen('shop'));
    expect(counted).toMatchObject({ droppedParts: 1, expiresAtSeconds: expect.any(Number) });
  });

  test('is what a proxy reports for its SDKs, too', async () => {
    const { name } = await world.feature({ on: true });
    const environment = 'development';
    const body = {
      applications: [{ appName: 'shop', instanceId: 'one', environment }],
      metrics: [
        { featureName: name, appName: 'shop', environment, timestamp: start(), yes: 7, no: 0 },
        { featureName: name, appName: 'shop', environment: 'production', timestamp: start(), yes: 9, no: 0 },
      ],
    };
    expect((await service.post('/api/client/metrics/bulk', body, { token })).status).toBe(202);
    expect((await summary(name)).lastHourUsage).toMatchObject([{ environment, yes: 7 }]);
    expect((await service.get('/api/admin/metrics/applications/shop')).status).toBe(200);
  });

  test('is reported by pages as well, which are answered OK', async () => {
    const { name } = await world.feature({ on: true });
    const page = await world.sdkToken('frontend');
    const body = {
      appName: 'page',
      instanceId: 'browser',
      bucket: bucketOf({ [name]: { yes: 1 } }),
    };
    const answer = await service.post('/api/frontend/client/metrics', body, { token: page });
    expect(answer).toMatchObject({ status: 200, text: 'OK' });
    expect((await summary(name)).seenApplications).toEqual(['page']);
  });

  test('is counted in the hour in which its bucket ended, of servers and of pages', async () => {
    const { name } = await world.feature({ on: true });
    const bucket = { start: '2026-01-01T00:00:00.000Z', stop: start(), toggles: { [name]: { yes: 1 } } };
    const page = await world.sdkToken('frontend');
    await service.post('/api/client/metrics', { appName: 'shop', bucket }, { token });
    await service.post('/api/frontend/client/metrics', { appName: 'page', bucket }, { token: page });
    later(60_001);
    await report('shop', {});
    expect((await raw(name, '?hoursBack=1')).map(({ yes }: { yes: number }) => yes)).toEqual([1, 1]);
  });

  test('is counted where a report has keys that are none, or a name that cannot be', async () => {
    const { name } = await world.feature({ on: true });
    const bodies = [
      `{"appName":"shop","__proto__":{"a":1},"bucket":{"start":"${start()}","stop":"${start()}","toggles":{"__proto__":{"yes":1},"${name}":{"yes":2}}}}`,
      `{"appName":"shop","\\u005f_proto__":1,"bucket":{"start":"${start()}","stop":"${start()}","toggles":{"constructor":{"prototype":1},"${name}":{"yes":1}}}}`,
      JSON.stringify({ appName: 'n'.repeat(256), bucket: bucketOf({ [name]: { yes: 5 } }) }),
    ];
    for (const body of bodies) {
      const headers = { 'content-type': 'application/json' };
      expect((await service.post('/api/client/metrics', body, { token, headers })).status, body).toBe(202);
    }
    later(60_001);
    await report('shop', { [name]: { yes: -1 }, 'no name': { yes: 1 } });
    expect(await summary(name)).toMatchObject({ lastHourUsage: [{ yes: 3 }], seenApplications: ['shop'] });
    expect((await service.get('/api/admin/metrics/applications/shop')).body.droppedParts).toBe(2);
    expect((await service.post('/api/client/metrics', '{"appName":', { token })).status).toBe(400);
  });

  test('of hours that are too many or none is refused', async () => {
    for (const hoursBack of ['0', '721', '1.5', 'many']) {
      expect((await service.get(`/api/admin/client-metrics/features/x/raw?hoursBack=${hoursBack}`)).status).toBe(400);
    }
  });
});

describe('Applications', () => {
  test('have registered or reported, and have their SDK, strategies and places', async ({ service, world }) => {
    const shop = await world.project({ environments: ['production'] });
    const token = await world.clientToken({ projects: ['default', shop], environment: 'production' });
    const register = (body: object) => service.post('/api/client/register', body, { token });
    await register({
      appName: 'web#shop/new',
      instanceId: 'one',
      sdkVersion: 'unleash-node-sdk:6.12.1',
      strategies: ['default', 7, 'userWithId'],
      started: '2026-11-22T09:00:00.000000123+00:00',
      interval: 'undefined',
    });
    const shown = {
      appName: 'web#shop/new',
      createdAt: expect.any(String),
      lastSeen: expect.any(String),
      sdkVersion: 'unleash-node-sdk:6.12.1',
      droppedParts: 0,
      strategies: ['default', 'userWithId'],
      usage: [
        { project: 'default', environments: ['production'] },
        { project: shop, environments: ['production'] },
      ],
    };
    expect((await service.get('/api/admin/metrics/applications/web%23shop%2Fnew')).body).toEqual(shown);
    expect((await service.get('/api/admin/metrics/applications?query=SHOP')).body).toEqual({
      total: 1,
      applications: [shown],
    });
    expect((await service.get('/api/admin/metrics/applications?query=blog')).body.total).toBe(0);
    const instance = await readItem(service.table, usageKeys.applicationInstance('web#shop/new', 'production', 'one'));
    expect(instance).toMatchObject({ sdkVersion: 'unleash-node-sdk:6.12.1', expiresAtSeconds: expect.any(Number) });
  });

  test('are listed page by page, in the order that is asked for', async ({ service, world }) => {
    for (let count = 0; count < 3; count += 1) await world.application();
    const names = async (query: string) => {
      const { body } = await service.get(`/api/admin/metrics/applications?${query}`);
      expect(body.total).toBe(3);
      return body.applications.map(({ appName }: { appName: string }) => appName);
    };
    expect(await names('')).toEqual(['app-1', 'app-2', 'app-3']);
    expect(await names('sortBy=appName&sortOrder=desc&limit=2')).toEqual(['app-3', 'app-2']);
    expect(await names('offset=2&limit=5')).toEqual(['app-3']);
    expect(await names('sortBy=lastSeen')).toHaveLength(3);
  });

  test('may leave out everything but their name, and be wrong about it', async ({ service, world }) => {
    const token = await world.sdkToken('client');
    const bodies = [
      { appName: 'a' },
      { appName: 'a', instanceId: 7, sdkVersion: {}, strategies: 'all', started: null, interval: -1 },
      { appName: 'a', instanceId: 'i'.repeat(5_000), strategies: [{}, null, 'x'.repeat(5_000)] },
    ];
    for (const body of bodies) {
      expect((await service.post('/api/client/register', body, { token })).status).toBe(202);
      expect((await service.post('/api/client/metrics', { ...body, bucket: null }, { token })).status).toBe(202);
    }
    for (const body of [{}, { appName: '' }, { appName: 7 }]) {
      expect((await service.post('/api/client/register', body, { token })).status).toBe(400);
    }
  });
});
