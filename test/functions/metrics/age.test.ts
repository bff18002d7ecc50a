import { afterEach, describe, expect, test, vi } from 'vitest';
import { noticeAge } from '../../../lib/features/lifecycle/notice-age.ts';
import { listFeatureTypes } from '../../../lib/features/types/feature-types.ts';
import { environmentRequest } from '../../../lib/request.ts';
import { featureEventsOf, paths } from '../../harness/features.ts';
import { worldForEach } from '../../specifications/specify.ts';

const day = 86_400_000;

describe('A feature that is older than features of its type usually get', () => {
  const { service, world } = worldForEach();
  afterEach(() => vi.restoreAllMocks());

  /** As if so many days had passed since then. */
  function later(days: number): void {
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + days * day);
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + days * day);
  }
  async function report(): Promise<void> {
    const token = await world.sdkToken('client');
    const bucket = { start: new Date().toISOString(), toggles: { missing: { yes: 1, no: 0 } } };
    expect((await service.post('/api/client/metrics', { appName: 'shop', bucket }, { token })).status).toBe(202);
  }
  const noticed = async (name: string) =>
    (await featureEventsOf(service, name)).filter(({ type }) => type === 'feature-potentially-stale-on');

  test('is said to be so in an event, once, when an application reports', async () => {
    const { name } = await world.feature();
    await report();
    expect(await noticed(name)).toEqual([]);
    later(41);
    await report();
    later(1);
    await report();
    expect(await noticed(name)).toMatchObject([
      { project: 'default', featureName: name, createdBy: 'unleash_system_user', data: null, preData: null },
    ]);
    const found = await service.get('/api/admin/search/features?state=IS:potentially-stale');
    expect(found.body.features).toMatchObject([{ name, stale: false }]);
  });

  test('is not said to be so twice, however many processes notice it, and again after its type was another', async () => {
    const { name } = await world.feature();
    const types = await listFeatureTypes(service.table);
    later(41);
    const processes = Array.from({ length: 4 }, () => environmentRequest());
    await Promise.all(processes.map((table) => noticeAge(table, name, types)));
    expect(await noticed(name)).toHaveLength(1);
    await service.put(paths.feature(name), { type: 'permission' });
    await noticeAge(service.table, name, types);
    await service.put(paths.feature(name), { type: 'release' });
    await noticeAge(service.table, name, types);
    expect(await noticed(name)).toHaveLength(2);
  });

  test('is left alone while it is stale, archived or gone', async () => {
    const { name: stale } = await world.feature();
    const { name: archived } = await world.feature({ archived: true });
    await service.put(paths.feature(stale), { stale: true });
    const types = await listFeatureTypes(service.table);
    later(41);
    for (const name of [stale, archived, 'missing']) await noticeAge(service.table, name, types);
    expect(await noticed(stale)).toEqual([]);
    expect(await noticed(archived)).toEqual([]);
  });
});
