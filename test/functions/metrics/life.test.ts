import { describe, expect, test, vi } from 'vitest';
import { enterStages } from '../../../lib/features/lifecycle/enter-stages.ts';
import { reportAge } from '../../../lib/features/lifecycle/report-age.ts';
import { listFeatureTypes } from '../../../lib/features/types/feature-types.ts';
import * as useKeys from '../../../lib/features/use/keys.ts';
import { createEnvironmentRequest } from '../../../lib/request.ts';
import { writeCounts } from '../../../lib/usage/write-counts.ts';
import { eventsAddedBy, featureEventsOf, paths, readFeature } from '../../harness/features.ts';
import { contentOf } from '../../harness/items.ts';
import { recordStoreRequests } from '../../harness/store-requests.ts';
import { worldForEach } from '../../specifications/specify.ts';

const { service, world } = worldForEach();

/** Reports the use of features, as if a minute had passed, so that what was counted is written down. */
async function use(toggles: object, environment = 'development', token?: string): Promise<void> {
  token ??= await world.clientToken({ environment });
  vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_001);
  const bucket = { start: new Date().toISOString(), stop: new Date().toISOString(), toggles };
  expect((await service.post('/api/client/metrics', { appName: 'shop', bucket }, { token })).status).toBe(202);
}

describe('When a feature was last used', () => {
  /** As if it had been used at some time. */
  const seen = (name: string, lastSeenAt: string, environment = 'development', project = 'default') =>
    writeCounts(service.table, { key: useKeys.featureSeen(project, name, environment), set: { lastSeenAt } });
  const found = async (query: string) =>
    (await service.get(`/api/admin/search/features?${query}`)).body.features.map(({ name }: { name: string }) => name);
  const read = async (name: string, project?: string) => (await service.get(paths.feature(name, project))).body;
  const soon = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

  test('is shown of it and its environments, in lists and searches, with how often this hour', async () => {
    const { name } = await world.feature({ on: true });
    const { name: other } = await world.feature();
    await use({ [name]: { yes: 3, no: 1 } });
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

  test('is forgotten with the feature', async () => {
    const [one = '', other = ''] = await world.featureNames(2, { on: true });
    for (const name of [one, other]) await seen(name, soon(1));
    for (const name of [one, other]) await world.ask('PUT', paths.feature(name), { archived: true });
    await world.ask('DELETE', `/api/admin/archive/${one}`);
    const left = (await contentOf(service.table)).filter(({ pk }) => pk === 'SEEN#default');
    expect(left).toMatchObject([{ sk: `${other}#development` }]);
    await world.ask('POST', '/api/admin/projects/default/delete', { features: [other] });
    expect((await contentOf(service.table)).filter(({ pk }) => pk === 'SEEN#default')).toEqual([]);
  });

  test('is forgotten with the environment, and with the project', async () => {
    const project = await world.project({ environments: ['development'] });
    const names = await world.featureNames(2, { project });
    const environment = await world.environment();
    for (const name of names) {
      for (const each of ['development', environment]) await seen(name, soon(1), each, project);
    }
    const left = async () => {
      const items = (await contentOf(service.table)).filter(({ pk }) => pk === `SEEN#${project}`);
      return items.map(({ sk }) => sk).toSorted();
    };
    await world.ask('DELETE', `/api/admin/environments/${environment}`);
    expect(await left()).toEqual(names.map((name) => `${name}#development`));
    await world.ask('POST', `/api/admin/projects/${project}/archive`, { features: names });
    await world.ask('DELETE', `/api/admin/projects/${project}`);
    expect(await left()).toEqual([]);
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
    await use({ [name]: { yes: 1 } });
    expect(await status()).toEqual({ status: 'onboarded' });
    const { projects } = (await service.get('/api/admin/projects')).body;
    expect(projects).toMatchObject([{ id: 'default', lastReportedFlagUsage: expect.any(String) }]);
  });

  test('is not that of a feature of an earlier project of its id', async () => {
    const id = await world.project();
    const { name } = await world.feature({ project: id });
    await use({ [name]: { yes: 1 } });
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

const day = 86_400_000;

describe('A feature that is older than features of its type usually get', () => {
  /** As if so many days had passed since then. */
  function later(days: number): void {
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + days * day);
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + days * day);
  }
  const report = () => use({ missing: { yes: 1, no: 0 } });
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
    const processes = Array.from({ length: 4 }, () => createEnvironmentRequest());
    await Promise.all(processes.map((table) => reportAge(table, name, types)));
    expect(await noticed(name)).toHaveLength(1);
    await service.put(paths.feature(name), { type: 'permission' });
    await reportAge(service.table, name, types);
    await service.put(paths.feature(name), { type: 'release' });
    await reportAge(service.table, name, types);
    expect(await noticed(name)).toHaveLength(2);
  });

  test('is left alone while it is stale, archived or gone', async () => {
    const { name: stale } = await world.feature();
    const { name: archived } = await world.feature({ archived: true });
    await service.put(paths.feature(stale), { stale: true });
    const types = await listFeatureTypes(service.table);
    later(41);
    for (const name of [stale, archived, 'missing']) await reportAge(service.table, name, types);
    expect(await noticed(stale)).toEqual([]);
    expect(await noticed(archived)).toEqual([]);
  });
});

describe('A feature that applications use', () => {
  const used = (environment: string, names: readonly string[], token?: string) =>
    use(Object.fromEntries(names.map((name) => [name, { yes: 1, no: 0 }])), environment, token);
  const stages = async (name: string): Promise<{ stage: string; enteredStageAt: string }[]> =>
    (await service.get(`${paths.feature(name)}/lifecycle`)).body;
  const stageNames = async (name: string) => (await stages(name)).map(({ stage }) => stage);

  test('is pre-live, in lists and for itself, without an event', async () => {
    const { name } = await world.feature({ on: true });
    expect(await eventsAddedBy(service, name, () => used('development', [name]))).toEqual([]);
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
    await used('production', [on, off]);
    expect(await stageNames(on)).toEqual(['initial', 'pre-live', 'live']);
    expect(await stageNames(off)).toEqual(['initial', 'pre-live']);
  });

  test('stays completed, and its way to production can be seen', async () => {
    const { name } = await world.feature({ environment: 'production', on: true });
    await service.post(`${paths.feature(name)}/lifecycle/complete`, { status: 'kept' });
    await used('production', [name]);
    expect((await readFeature(service, name)).lifecycle.stage).toBe('completed');
    await service.post(`${paths.feature(name)}/lifecycle/uncomplete`);
    expect((await readFeature(service, name)).lifecycle.stage).toBe('live');
  });

  test('costs a transaction where its stage changes, and none from then on', async () => {
    const features = await world.features(4, { environment: 'production', on: true });
    const names = features.map(({ name }) => name);
    const token = await world.clientToken({ environment: 'production' });
    // The first report of an application makes it known.
    await used('production', [], token);
    const transactions = async () => {
      const requests = await recordStoreRequests(service.table, () => used('production', names, token));
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
    for (let time = 0; time < 2; time += 1) await used('development', [name], token);
    const requests = await recordStoreRequests(service.table, () => used('development', [name], token));
    expect(requests.filter(({ targets }) => targets.includes(`FEATURE#${name} FEATURE`))).toEqual([]);
  });

  test('enters a stage once, however many processes hear of it', async () => {
    const { name } = await world.feature({ environment: 'production', on: true });
    const processes = Array.from({ length: 4 }, () => createEnvironmentRequest());
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
