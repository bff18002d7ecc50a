import { afterEach, describe, expect, test, vi } from 'vitest';
import * as keys from '../../../lib/store/keys.ts';
import { tally } from '../../../lib/store/transactions/tally.ts';
import { paths } from '../../harness/features.ts';
import { recordStoreRequests } from '../../harness/store-requests.ts';
import { worldForEach } from '../../specifications/specify.ts';

describe('When a feature was last used', () => {
  const { service, world } = worldForEach();
  afterEach(() => vi.restoreAllMocks());

  async function use(name: string, counts: object, environment = 'development'): Promise<void> {
    const token = await world.clientToken({ environment });
    // As if a minute had passed, so that what was counted is written down.
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_001);
    const bucket = { start: new Date().toISOString(), toggles: { [name]: counts } };
    expect((await service.post('/api/client/metrics', { appName: 'shop', bucket }, { token })).status).toBe(202);
  }
  /** As if it had been used at some time. */
  const seen = (name: string, lastSeenAt: string, environment = 'development', project = 'default') =>
    tally(service.table, { key: keys.featureSeen(project, name, environment), set: { lastSeenAt } });
  const found = async (query: string) =>
    (await service.get(`/api/admin/search/features?${query}`)).body.features.map(
      (feature: { name: string }) => feature.name,
    );
  const read = async (name: string, project?: string) => (await service.get(paths.feature(name, project))).body;
  const soon = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

  test('is shown of it and its environments, in lists and searches, with how often this hour', async () => {
    const { name } = await world.feature({ on: true });
    const { name: other } = await world.feature();
    await use(name, { yes: 3, no: 1 });
    const used = { name: 'development', lastSeenAt: expect.any(String) };
    const unused = { name: 'production', lastSeenAt: null };
    const listed = { name, lastSeenAt: expect.any(String), environments: [used, unused] };
    const counted = {
      ...listed,
      environments: [
        { ...used, yes: 3, no: 1 },
        { ...unused, yes: 0, no: 0 },
      ],
    };
    expect(await read(name)).toMatchObject(counted);
    const search = await service.get('/api/admin/search/features?sortBy=name');
    expect(search.body.features).toMatchObject([counted, { name: other, lastSeenAt: null }]);
    const list = await service.get('/api/admin/projects/default/features');
    expect(list.body.features).toMatchObject([listed, { name: other, lastSeenAt: null }]);
    await service.put(paths.feature(name), { archived: true });
    for (const path of ['/api/admin/archive/features', '/api/admin/archive/features/default']) {
      expect((await service.get(path)).body.features).toMatchObject([{ name, lastSeenAt: expect.any(String) }]);
    }
  });

  test('is the latest of its environments, and changes its ETag but not its version', async () => {
    const { name } = await world.feature();
    const get = (headers = {}) => service.call('GET', paths.feature(name), { headers });
    const before = await get();
    const [earlier, later] = [soon(1), soon(2)];
    await seen(name, later);
    await seen(name, earlier, 'production');
    const after = await get({ 'if-none-match': String(before.headers.etag) });
    expect(after).toMatchObject({ status: 200, body: { lastSeenAt: later } });
    expect((await get({ 'if-none-match': String(after.headers.etag) })).status).toBe(304);
    const headers = { 'if-match': String(after.headers.etag) };
    expect((await service.put(paths.feature(name), { description: 'new' }, { headers })).status).toBe(200);
  });

  test('can be searched for and sorted by, what was never used at the end', async () => {
    const [never, first, second] = (await world.featureNames(3)) as [string, string, string];
    await seen(first, soon(1));
    await seen(second, soon(3));
    const day = soon(2).slice(0, 10);
    expect(await found(`lastSeenAt=IS_BEFORE:${day}`)).toEqual([first]);
    expect(await found(`lastSeenAt=IS_ON_OR_AFTER:${day}`)).toEqual([second]);
    expect(await found('sortBy=lastSeenAt')).toEqual([first, second, never]);
    expect(await found('sortBy=lastSeenAt&sortOrder=desc')).toEqual([second, first, never]);
  });

  test('is not that of an earlier feature of its name', async () => {
    const { name } = await world.feature();
    await seen(name, '2020-01-01T00:00:00.000Z');
    expect((await read(name)).lastSeenAt).toBeNull();
    expect(await found('lastSeenAt=IS_BEFORE:2030-01-01')).toEqual([]);
  });

  test('says when its project was last used, which ends its introduction', async () => {
    const { name } = await world.feature();
    const status = async () => (await service.get('/api/admin/projects/default/overview')).body.onboardingStatus;
    expect(await status()).toEqual({ status: 'first-flag-created', feature: name });
    await use(name, { yes: 1 });
    expect(await status()).toEqual({ status: 'onboarded' });
    const { projects } = (await service.get('/api/admin/projects')).body;
    expect(projects).toMatchObject([{ id: 'default', lastReportedFlagUsage: expect.any(String) }]);
  });

  test('is not that of a feature of an earlier project of its id', async () => {
    const id = await world.project();
    const { name } = await world.feature({ project: id });
    await use(name, { yes: 1 });
    await service.call('DELETE', paths.feature(name, id));
    await service.call('DELETE', `/api/admin/projects/${id}`);
    await world.ask('POST', '/api/admin/projects', { id, name: 'Once more' });
    const { projects } = (await service.get('/api/admin/projects')).body;
    expect(projects).toContainEqual(expect.objectContaining({ id, lastReportedFlagUsage: null }));
    for (const path of [`projects/${id}/overview`, `personal-dashboard/${id}`]) {
      const { onboardingStatus } = (await service.get(`/api/admin/${path}`)).body;
      expect(onboardingStatus).toEqual({ status: 'onboarding-started' });
    }
  });

  test('goes with it to another project', async () => {
    const { name } = await world.feature();
    const project = await world.project({ environments: ['development', 'production'] });
    const at = soon(1);
    await seen(name, at);
    await service.post(`${paths.feature(name)}/changeProject`, { newProjectId: project });
    expect((await read(name, project)).lastSeenAt).toBe(at);
    const left = await service.get('/api/admin/search/features?lastSeenAt=IS_ON_OR_AFTER:2020-01-01');
    expect(left.body.features).toMatchObject([{ name, project, lastSeenAt: at }]);
  });

  test('costs a search no request for features that nobody uses', async () => {
    await world.features(3);
    await found('');
    const requests = await recordStoreRequests(service.table, () => found(''));
    expect(requests.filter(({ targets }) => targets.some((target) => target.startsWith('USAGE#')))).toEqual([]);
  });
});
