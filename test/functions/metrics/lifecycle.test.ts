import { afterEach, describe, expect, test, vi } from 'vitest';
import { enterStages } from '../../../lib/features/lifecycle/enter-stages.ts';
import { environmentRequest } from '../../../lib/request.ts';
import { eventsAddedBy, paths, readFeature } from '../../harness/features.ts';
import { recordStoreRequests } from '../../harness/store-requests.ts';
import { worldForEach } from '../../specifications/specify.ts';

describe('A feature that applications use', () => {
  const { service, world } = worldForEach();
  afterEach(() => vi.restoreAllMocks());

  async function use(environment: string, names: readonly string[], token?: string): Promise<void> {
    token ??= await world.clientToken({ environment });
    const toggles = Object.fromEntries(names.map((name) => [name, { yes: 1, no: 0 }]));
    // As if a minute had passed, so that what was counted is written down.
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_001);
    const bucket = { start: new Date().toISOString(), toggles };
    expect((await service.post('/api/client/metrics', { appName: 'shop', bucket }, { token })).status).toBe(202);
  }
  const stages = async (name: string): Promise<{ stage: string; enteredStageAt: string }[]> =>
    (await service.get(`${paths.feature(name)}/lifecycle`)).body;
  const stageNames = async (name: string) => (await stages(name)).map(({ stage }) => stage);

  test('is pre-live, in lists and for itself, without an event', async () => {
    const { name } = await world.feature({ on: true });
    expect(await eventsAddedBy(service, name, () => use('development', [name]))).toEqual([]);
    expect(await stageNames(name)).toEqual(['initial', 'pre-live']);
    const { lifecycle } = await readFeature(service, name);
    expect(lifecycle).toEqual({ stage: 'pre-live', enteredStageAt: expect.any(String) });
    const found = await service.get('/api/admin/search/features?lifecycle=IS:pre-live');
    expect(found.body.features).toMatchObject([{ name, lifecycle }]);
    expect((await service.get('/api/admin/lifecycle/count')).body).toMatchObject({ initial: 0, preLive: 1 });
  });

  test('is live where it is on in production, and there only', async () => {
    const { name: on } = await world.feature({ environment: 'production', on: true });
    const { name: off } = await world.feature({ environment: 'production' });
    await use('production', [on, off]);
    expect(await stageNames(on)).toEqual(['initial', 'pre-live', 'live']);
    expect(await stageNames(off)).toEqual(['initial', 'pre-live']);
  });

  test('stays completed, and its way to production can be seen', async () => {
    const { name } = await world.feature({ environment: 'production', on: true });
    await service.post(`${paths.feature(name)}/lifecycle/complete`, { status: 'kept' });
    await use('production', [name]);
    expect((await readFeature(service, name)).lifecycle.stage).toBe('completed');
    await service.post(`${paths.feature(name)}/lifecycle/uncomplete`);
    expect((await readFeature(service, name)).lifecycle.stage).toBe('live');
  });

  test('costs a transaction where its stage changes, and none from then on', async () => {
    const features = await world.features(4, { environment: 'production', on: true });
    const names = features.map(({ name }) => name);
    const token = await world.clientToken({ environment: 'production' });
    // The first report of an application makes it known.
    await use('production', [], token);
    const transactions = async () => {
      const requests = await recordStoreRequests(service.table, () => use('production', names, token));
      return requests.filter(({ command }) => command === 'TransactWrite').length;
    };
    expect(await transactions()).toBe(1);
    const version = async () => (await service.get(paths.feature(names[0] ?? ''))).headers.etag?.split('-')[0];
    const before = await version();
    expect(await transactions()).toBe(0);
    expect(await version()).toBe(before);
  });

  test('is not read again while it is used before production alone', async () => {
    const { name } = await world.feature({ on: true });
    const token = await world.clientToken({ environment: 'development' });
    for (let time = 0; time < 2; time += 1) await use('development', [name], token);
    const requests = await recordStoreRequests(service.table, () => use('development', [name], token));
    expect(requests.filter(({ targets }) => targets.includes(`FEATURE#${name} FEATURE`))).toEqual([]);
  });

  test('enters a stage once, however many processes hear of it', async () => {
    const { name } = await world.feature({ environment: 'production', on: true });
    const processes = Array.from({ length: 4 }, () => environmentRequest());
    await Promise.all(processes.map((table) => enterStages(table, 'production', [name])));
    expect(await stageNames(name)).toEqual(['initial', 'pre-live', 'live']);
    const known = await stages(name);
    await enterStages(service.table, 'production', [name]);
    expect(await stages(name)).toEqual(known);
  });

  test('stays as it is where it is archived or deleted by then', async () => {
    const { name: archived } = await world.feature({ archived: true });
    const { name } = await world.feature();
    await enterStages(service.table, 'development', [archived, 'missing', name]);
    await enterStages(service.table, 'nowhere', [name]);
    expect(await stageNames(archived)).toEqual(['initial', 'archived']);
    expect(await stageNames(name)).toEqual(['initial', 'pre-live']);
  });
});
