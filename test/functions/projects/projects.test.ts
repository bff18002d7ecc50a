import { expect, onTestFinished, vi } from 'vitest';
import { permitForOwnData } from '../../../lib/events/actor.ts';
import { stampEvents } from '../../../lib/events/event.ts';
import { serviceEventWrites } from '../../../lib/events/event-items.ts';
import { transact } from '../../../lib/store/transactions/transact.ts';
import { addFeatures, newTokenOf, paths, shopSeed } from '../../harness/features.ts';
import { freshService } from '../../harness/service.ts';
import { serviceEventsAddedBy } from '../../harness/service-events.ts';
import { recordStoreRequests } from '../../harness/store-requests.ts';
import { World } from '../../harness/world.ts';
import { untilNoticed } from '../../lib/http/hidden-project.ts';
import { openTo, specify, test } from '../../specifications/specify.ts';

specify('addFavoriteProject', {
  route: 'POST /api/admin/projects/{projectId}/favorites',
  unversioned: 'it changes what the caller sees, and nothing else',
  may: 'any token',
  request: async (world) => ({ params: { projectId: await world.project() } }),
});

test('A project becomes a favorite of one user, with one event', async ({ service, world }) => {
  const id = await world.project();
  const add = () => service.call('POST', `/api/admin/projects/${id}/favorites`);
  const events = await serviceEventsAddedBy(service.table, async () => {
    for (const answer of [...(await Promise.all([add(), add(), add()])), await add()]) {
      expect(answer).toMatchObject({ status: 200, text: '' });
    }
  });
  expect(events).toMatchObject([{ type: 'project-favorited', project: id }]);
  const other = { token: await world.token() };
  for (const [user, favorite] of [
    [{}, true],
    [other, false],
  ] as const) {
    const { projects } = (await service.get('/api/admin/projects', user)).body;
    expect(projects).toMatchObject([
      { id: 'default', favorite: false },
      { id, favorite },
    ]);
    expect((await service.get(`/api/admin/projects/${id}/overview`, user)).body.favorite).toBe(favorite);
  }
});

specify('getDeprecatedProjectOverview', {
  route: 'GET /api/admin/projects/{projectId}',
  may: 'any token',
  request: async (world) => ({ params: await world.projectWithFeature() }),
});

test('The health report of a project has its overview and live features', async () => {
  const service = await freshService(shopSeed);
  await addFeatures(service, ['one', 'two', 'archived'], { project: 'shop' });
  await service.put(paths.feature('archived', 'shop'), { archived: true });
  const { body } = await service.get('/api/admin/projects/shop');
  const { features } = (await service.get('/api/admin/projects/shop/features')).body;
  expect(features).toHaveLength(2);
  const overview = (await service.get('/api/admin/projects/shop/overview')).body;
  const { linkTemplates: _, archivedAt: _a, featureTypeCounts: _f, onboardingStatus: _o, ...shown } = overview;
  expect(body).toEqual({ ...shown, features });
});

specify('getOutdatedProjectSdks', {
  route: 'GET /api/admin/projects/{projectId}/sdks/outdated',
  may: 'any token',
  request: async (world) => ({ params: { projectId: await world.project() } }),
});

specify('getPersonalDashboard', {
  route: 'GET /api/admin/personal-dashboard',
  may: 'any token',
  given: async (world) => {
    const project = await world.project();
    await world.feature({ project });
  },
  // Which projects there are, and then each of them.
  waits: 2,
});

test('A user sees the projects in which they have a role, and the features that are theirs', async () => {
  const service = await freshService(shopSeed);
  const dashboard = async (token: string) => (await service.get('/api/admin/personal-dashboard', { token })).body;
  const token = await newTokenOf(service, { username: 'zoe', inProject: { project: 'shop', role: 'Owner' } });
  const idsOf = ({ projects }: { projects: { id: string }[] }) => projects.map(({ id }) => id);
  const path = '/api/admin/projects/shop/features';
  for (const name of ['mine', 'gone']) expect((await service.post(path, { name }, { token })).status).toBe(201);
  await service.call('DELETE', `${path}/gone`, { token });
  await service.post('/api/admin/projects/default/features', { name: 'starred' });
  await service.post('/api/admin/projects/default/features/starred/favorites', {}, { token });

  const zoe = await dashboard(token);
  expect(idsOf(zoe)).toEqual(['shop']);
  expect(zoe.flags.map(({ name }: { name: string }) => name)).toEqual(['starred', 'mine']);
  expect(zoe.admins).toEqual([{ id: 1, username: 'admin', imageUrl: '' }]);
  expect(idsOf(await dashboard(service.adminToken))).toEqual(expect.arrayContaining(['default', 'shop']));
});

test('The dashboard of a user without a role lists their favorite projects, and the owners of all that they see', async () => {
  const service = await freshService(shopSeed);
  await service.post('/api/admin/projects', { id: 'secret', name: 'Secret', mode: 'private' });
  await newTokenOf(service, { username: 'zoe', inProject: { project: 'shop', role: 'Owner' } });
  await newTokenOf(service, { username: 'max', inProject: { project: 'secret', role: 'Owner' } });
  const token = await newTokenOf(service, { username: 'nobody' });
  onTestFinished(() => void vi.useRealTimers());
  untilNoticed();
  const dashboard = async () => (await service.get('/api/admin/personal-dashboard', { token })).body;

  const projectOwners = [{ ownerType: 'user', name: 'zoe', email: null }];
  expect(await dashboard()).toMatchObject({ projects: [], projectOwners });
  await service.post('/api/admin/projects/shop/favorites', {}, { token });
  expect(await dashboard()).toMatchObject({ projects: [{ id: 'shop' }], projectOwners });
});

specify('getPersonalDashboardProjectDetails', {
  route: 'GET /api/admin/personal-dashboard/{projectId}',
  may: 'any token',
  request: async (world) => ({ params: await world.projectWithFeature() }),
  // The newest events are looked up, and then read.
  waits: 2,
});

test("The dashboard shows the newest events of a project, the caller's roles, and its insights", async () => {
  const service = await freshService(shopSeed);
  const world = new World(service);
  const token = await world.tokenOfRole(3, [{ project: 'shop', roles: [5, await world.role({ name: 'Gardener' })] }]);
  for (const name of ['a_b', 'two']) await service.post('/api/admin/projects/shop/features', { name }, { token });
  const { body } = await service.get('/api/admin/personal-dashboard/shop', { token });
  expect(body.roles).toEqual([
    { id: 5, name: 'Member', type: 'project' },
    { id: 7, name: 'Gardener', type: 'custom' },
  ]);
  expect(body.owners).toEqual([{ ownerType: 'system' }]);
  expect(body.latestEvents[1]).toMatchObject({
    createdBy: 'user-1',
    summary: '**user\\-1** created **a\\_b** of the project **shop**',
  });
  expect(body.onboardingStatus).toEqual({ status: 'first-flag-created', feature: 'a_b' });
  const { totalFlags, activeFlags } = body.insights;
  expect([totalFlags, activeFlags]).toEqual([totalFlags, totalFlags]);
  await service.call('PUT', '/api/admin/projects/shop/features/two', { body: { stale: true } });
  const { insights } = (await service.get('/api/admin/personal-dashboard/shop', { token })).body;
  // An admin UI shows what is missing from it to 100 as technical debt.
  expect(insights.technicalDebt).toBeGreaterThan(0);
  expect(insights).toMatchObject({ avgHealthCurrentWindow: 100 - insights.technicalDebt, avgHealthPastWindow: null });
  expect(await service.get('/api/admin/personal-dashboard/nowhere')).toMatchObject({ status: 404 });
});

test('The dashboard shows a limited number of events of a project', async ({ service, world }) => {
  const [busy, idle] = [await world.project(), await world.project()];
  // Each outline of these items fills much of a page of the list of all events.
  for (let first = 10_000; first < 22_000; first += 1_000) {
    const names = Array.from({ length: 1_000 }, () => ({
      type: 'feature-created' as const,
      featureName: '_'.repeat(100),
    }));
    const events = stampEvents(
      names.map((each) => ({ ...each, project: busy })),
      first,
      permitForOwnData({ id: 1, name: 'zoe' }),
      new Date(Date.now() + first).toISOString(),
    );
    await transact(service.table, serviceEventWrites(events), undefined);
  }
  const pagesFor = async (project: string) => {
    const path = `/api/admin/personal-dashboard/${project}`;
    const requests = await recordStoreRequests(service.table, () => service.get(path));
    return requests.filter(({ targets }) => targets.includes('eventLog')).length;
  };
  expect(await pagesFor(busy)).toBe(1);
  expect(await pagesFor(idle)).toBeGreaterThan(1);
});

specify('getProjectApplications', {
  route: 'GET /api/admin/projects/{projectId}/applications',
  may: 'any token',
  request: async (world) => ({
    params: { projectId: await world.project() },
    query: { query: 'app', offset: 0, limit: 10, sortBy: 'appName', sortOrder: 'asc' },
  }),
  differs: 'an unknown project is a 404',
});

specify('getProjectChangeRequestConfig', {
  route: 'GET /api/admin/projects/{projectId}/change-requests/config',
  may: 'any token',
  request: async (world) => ({ params: { projectId: await world.project() } }),
});

test('All environments of a project are listed, in order', async ({ service }) => {
  const usual = { changeRequestEnabled: false, requiredApprovals: null };
  expect((await service.get('/api/admin/projects/default/change-requests/config')).body).toEqual([
    { environment: 'development', type: 'development', ...usual },
    { environment: 'production', type: 'production', ...usual },
  ]);
});

specify('getProjectDora', {
  route: 'GET /api/admin/projects/{projectId}/dora',
  may: 'any token',
  request: async (world) => ({ params: await world.projectWithFeature({ on: true }) }),
});

test('The lead time ends when a feature is first on in production', async ({ service, world }) => {
  const dora = async () => (await service.get('/api/admin/projects/default/dora')).body;
  const { name } = await world.feature();
  const { name: bulk } = await world.feature();
  const { name: other } = await world.feature();
  await service.post(`${paths.feature(other)}/environments/development/on`);
  expect(await dora()).toEqual({ features: [], projectAverage: 0 });
  const path = `${paths.feature(name)}/environments/production`;
  for (const change of ['on', 'off', 'on']) expect((await service.post(`${path}/${change}`)).status).toBe(200);
  await service.post('/api/admin/projects/default/bulk_features/environments/production/on', { features: [bulk] });
  await service.put(paths.feature(name), { description: 'new', archived: true });
  expect(await dora()).toEqual({
    features: [
      { name, timeToProduction: 0 },
      { name: bulk, timeToProduction: 0 },
    ],
    projectAverage: 0.1,
  });
});

specify('getProjectFlagCreators', {
  route: 'GET /api/admin/projects/{projectId}/flag-creators',
  may: 'any token',
  request: async (world) => ({ params: await world.projectWithFeature() }),
});

test('The creators of features of a project are listed once, by name', async () => {
  const service = await freshService(shopSeed);
  const path = '/api/admin/projects/shop/features';
  for (const [username, names] of [
    ['bob', ['one', 'two']],
    ['alice', ['three']],
  ] as const) {
    const token = await newTokenOf(service, { username });
    for (const name of names) expect((await service.post(path, { name }, { token })).status).toBe(201);
  }
  await service.post('/api/admin/projects/default/features', { name: 'elsewhere' });
  expect((await service.get('/api/admin/projects/shop/flag-creators')).body).toEqual([
    { id: expect.any(Number), name: 'alice@example.com' },
    { id: expect.any(Number), name: 'bob' },
  ]);
});

specify('getProjectHealthReport', {
  route: 'GET /api/admin/projects/{projectId}/health-report',
  may: 'any token',
  request: async (world) => ({ params: await world.projectWithFeature() }),
});

test('The health report counts stale and active live features', async () => {
  const service = await freshService(shopSeed);
  await addFeatures(service, ['one', 'two', 'three', 'archived'], { project: 'shop' });
  await service.put(paths.feature('one', 'shop'), { stale: true });
  await service.put(paths.feature('archived', 'shop'), { archived: true, stale: true });
  const { body } = await service.get('/api/admin/projects/shop/health-report');
  expect(body).toMatchObject({ activeCount: 2, staleCount: 1, potentiallyStaleCount: 0, health: 67 });
  expect(body.features.map(({ name }: { name: string }) => name)).toEqual(['one', 'three', 'two']);
});

specify('getProjectInsights', {
  route: 'GET /api/admin/projects/{projectId}/insights',
  may: 'any token',
  request: async (world) => ({ params: await world.projectWithFeature() }),
});

test('The insights have health, activity and members of a project', async () => {
  const service = await freshService(shopSeed);
  await addFeatures(service, ['one', 'two', 'archived'], { project: 'shop' });
  await service.put(paths.feature('one', 'shop'), { stale: true });
  await service.put(paths.feature('archived', 'shop'), { archived: true });
  const states = { activeCount: 1, staleCount: 1, potentiallyStaleCount: 0 };
  expect((await service.get('/api/admin/projects/shop/insights')).body).toMatchObject({
    stats: { createdCurrentWindow: 3, archivedCurrentWindow: 1 },
    leadTime: { projectAverage: 0, features: [] },
    featureTypeCounts: [{ type: 'release', count: 2 }],
    health: { rating: 50, ...states },
    technicalDebt: { rating: 50, ...states },
    members: { currentMembers: 0, change: 0 },
  });
});

specify('removeFavoriteProject', {
  route: 'DELETE /api/admin/projects/{projectId}/favorites',
  unversioned: 'it changes what the caller sees, and nothing else',
  may: 'any token',
  request: async (world) => {
    const projectId = await world.project();
    await world.ask('POST', `/api/admin/projects/${projectId}/favorites`);
    return { params: { projectId } };
  },
});

test('A project is no favorite any more', async ({ service, world }) => {
  const id = await world.project();
  const path = `/api/admin/projects/${id}/favorites`;
  for (const method of ['POST', 'DELETE']) await service.call(method, path);
  expect((await service.get(`/api/admin/projects/${id}/overview`)).body.favorite).toBe(false);
});

specify('reviveProject', {
  route: 'POST /api/admin/projects/revive/{projectId}',
  versionAt: 'GET /api/admin/projects/{projectId}',
  ...openTo('Owner', 'UPDATE_PROJECT'),
  request: async (world) => {
    const projectId = await world.project();
    await world.ask('POST', `/api/admin/projects/archive/${projectId}`, {});
    // The items that count its features are as many as those of 14 features.
    return { params: { projectId }, size: 14 };
  },
});

test('A revived project takes features again; archived ones stay archived', async ({ service, world }) => {
  const id = await world.project();
  const archived = await world.feature({ project: id, archived: true });
  for (let round = 0; round < 2; round += 1) {
    await service.post(`/api/admin/projects/archive/${id}`, {});
    expect((await service.post(`/api/admin/projects/revive/${id}`, {})).status).toBe(200);
  }
  const { projects } = (await service.get('/api/admin/projects')).body;
  expect(projects.find((project: { id: string }) => project.id === id)).toMatchObject({ archivedAt: null });
  expect((await service.get(`/api/admin/projects/${id}/features`)).body.features).toEqual([]);
  expect((await service.post(`/api/admin/archive/revive/${archived.name}`, {})).status).toBe(200);
  const { name } = await world.feature({ project: id });
  expect((await service.get(`/api/admin/projects/${id}/features/${name}`)).status).toBe(200);
});
