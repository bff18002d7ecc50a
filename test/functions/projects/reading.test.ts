import { describe, expect } from 'vitest';
import { readSeed } from '../../../lib/imports/seed/seed-data.ts';
import { addFeatures, newTokenOf, paths, shopSeed } from '../../harness/features.ts';
import { nextMillisecond } from '../../harness/next-millisecond.ts';
import { freshService, type Reply, type Service } from '../../harness/service.ts';
import { serviceForEach, specify, test } from '../../specifications/specify.ts';

specify('getProjects', {
  route: 'GET /api/admin/projects',
  may: 'any token',
  given: async (world) => world.feature({ project: await world.project() }),
  // Their ids are asked for first.
  waits: 2,
});

test('All projects are listed by name, with owners and counts', async () => {
  const users = [{ username: 'one', name: 'Number One' }, { username: 'two' }];
  const groups = [{ name: 'team', users: ['one', 'two'], projects: ['shop'] }];
  const projects = [{ id: 'shop', name: 'A shop', description: 'It sells', defaultStickiness: 'userId' }];
  const service = await freshService(readSeed({ users, groups, projects }));
  await newTokenOf(service, { username: 'one', inProject: { project: 'shop', role: 'Owner' } });
  await addFeatures(service, ['first', 'second', 'archived']);
  await service.put(paths.feature('first'), { stale: true });
  await service.put(paths.feature('archived'), { archived: true });
  const usual = {
    createdAt: expect.any(String),
    archivedAt: null,
    mode: 'open',
    favorite: false,
    lastReportedFlagUsage: null,
    lastUpdatedAt: expect.any(String),
  };
  expect((await service.get('/api/admin/projects')).body).toEqual({
    version: 1,
    projects: [
      {
        ...usual,
        id: 'shop',
        name: 'A shop',
        description: 'It sells',
        defaultStickiness: 'userId',
        featureCount: 0,
        staleFeatureCount: 0,
        health: 100,
        technicalDebt: 0,
        memberCount: 2,
        owners: [{ ownerType: 'user', name: 'Number One', email: null }],
        onboardingStatus: { status: 'onboarding-started' },
      },
      {
        ...usual,
        id: 'default',
        name: 'Default',
        description: 'Default project',
        defaultStickiness: 'default',
        featureCount: 2,
        staleFeatureCount: 1,
        health: 50,
        technicalDebt: 50,
        memberCount: 0,
        owners: [{ ownerType: 'system' }],
        onboardingStatus: { status: 'first-flag-created' },
      },
    ],
  });
});

test('Groups and service accounts can be owners and members of a project', async ({ service, world }) => {
  const [project, user, program] = [await world.project(), await world.user(), await world.serviceAccount()];
  const group = await world.groupId({ name: 'Shop', users: [{ user: { id: user.id } }] });
  const path = `/api/admin/projects/${project}`;
  await world.ask('POST', `${path}/access`, { roles: [4], groups: [group], users: [program.id] });
  const owners = [
    { ownerType: 'user', name: 'A service', email: null },
    { ownerType: 'group', name: 'Shop' },
  ];
  const [listed] = (await service.get('/api/admin/projects')).body.projects.filter(
    ({ id }: { id: string }) => id === project,
  );
  expect(listed).toMatchObject({ owners, memberCount: 2 });
  expect((await service.get(`/api/admin/personal-dashboard/${project}`)).body.owners).toEqual(owners);
});

test('A deleted user is no member of a project, not even by a group', async ({ service, world }) => {
  const [project, user, other] = [await world.project(), await world.user(), await world.user()];
  const group = await world.groupId({ users: [{ user: { id: user.id } }, { user: { id: other.id } }] });
  await world.ask('PUT', `/api/admin/projects/${project}/groups/${group}/roles`, { roles: [5] });
  await world.ask('DELETE', `/api/admin/user-admin/${user.id}`);
  expect((await service.get(`/api/admin/projects/${project}/overview`)).body.members).toBe(1);
});

const lastUpdate = async (service: Service, id = 'default'): Promise<string> =>
  (await service.get('/api/admin/projects')).body.projects.find((project: { id: string }) => project.id === id)
    .lastUpdatedAt;

const newestEvent = async (service: Service): Promise<string> =>
  (await service.get('/api/admin/events?limit=1')).body.events[0].createdAt;

test('The last update of a project is that of itself or its features', async () => {
  const service = await freshService(shopSeed);
  const strategies = paths.strategies('one');
  const changes = [
    () => addFeatures(service, ['one', 'two', 'three']),
    () => service.put(paths.feature('one'), { description: 'Changed' }),
    () => service.post(strategies, { name: 'default' }),
    () => service.post(paths.switch('one', 'on')),
    () => service.post(paths.off(), { features: ['one', 'two'] }),
    () => service.post(paths.bulk('archive'), { features: ['two', 'three'] }),
    () => service.post(paths.bulk('revive'), { features: ['two'] }),
    () => service.call('DELETE', paths.deleted('three')),
    () => service.put('/api/admin/projects/default', { name: 'Renamed' }),
  ];
  const times = [await lastUpdate(service)];
  for (const change of changes) {
    await nextMillisecond();
    expect(await change()).toSatisfy((reply?: Reply) => reply === undefined || reply.status < 300);
    times.push(await lastUpdate(service));
    expect(times.at(-1)).toBe(await newestEvent(service));
  }
  expect(times).toEqual([...new Set(times)].toSorted());
});

test('A move of a feature updates both projects', async () => {
  const service = await freshService(
    readSeed({ projects: [{ id: 'shop', environments: ['development', 'production'] }] }),
  );
  await addFeatures(service, ['moved']);
  const to = { newProjectId: 'shop' };
  expect(await service.post(`${paths.feature('moved')}/changeProject`, to)).toMatchObject({ status: 200 });
  const both = async () => [await lastUpdate(service), await lastUpdate(service, 'shop')];
  const moved = await newestEvent(service);
  expect(await both()).toEqual([moved, moved]);
  await service.post(`${paths.feature('moved', 'shop')}/favorites`);
  expect(await both()).toEqual([moved, moved]);
});

test('The filter of archived projects takes true and false', async ({ service }) => {
  expect((await service.get('/api/admin/projects?archived=true')).body).toEqual({ version: 1, projects: [] });
  expect((await service.get('/api/admin/projects?archived=false')).body.projects).toHaveLength(1);
  expect((await service.get('/api/admin/projects?archived=yes')).status).toBe(400);
});

specify('getProjectOverview', {
  route: 'GET /api/admin/projects/{projectId}/overview',
  may: 'any token',
  request: async (world) => {
    const projectId = await world.project();
    await world.ask('POST', `/api/admin/projects/${projectId}/environments/development/default-strategy`, {
      name: 'flexibleRollout',
    });
    await world.feature({ project: projectId });
    return { params: { projectId } };
  },
});

describe('The overview of a project', () => {
  const seed = readSeed({
    users: [{ username: 'one' }, { username: 'two' }],
    groups: [{ name: 'team', users: ['one', 'two'], projects: ['shop'] }],
    projects: [{ id: 'shop', name: 'Shop', environments: ['production', 'development'] }],
  });
  const service = serviceForEach(seed);
  const overview = async () => (await service.get('/api/admin/projects/shop/overview')).body;

  test('shows the defaults of a new project', async () => {
    expect(await overview()).toEqual({
      version: 1,
      name: 'Shop',
      description: '',
      defaultStickiness: 'default',
      mode: 'open',
      featureLimit: null,
      featureNaming: { pattern: null, example: null, description: null },
      linkTemplates: [],
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      archivedAt: null,
      favorite: false,
      members: 2,
      health: 100,
      technicalDebt: 0,
      environments: [
        { environment: 'development', changeRequestsEnabled: false },
        { environment: 'production', changeRequestsEnabled: false },
      ],
      featureTypeCounts: [],
      stats: {
        avgTimeToProdCurrentWindow: 0,
        createdCurrentWindow: 0,
        createdPastWindow: 0,
        archivedCurrentWindow: 0,
        archivedPastWindow: 0,
        projectActivityCurrentWindow: 0,
        projectActivityPastWindow: 0,
        projectMembersAddedCurrentWindow: 0,
      },
      onboardingStatus: { status: 'onboarding-started' },
    });
  });

  test('counts live features by type, and stale ones', async () => {
    await addFeatures(service, ['one', 'two', 'three', 'archived'], { project: 'shop' });
    await service.put(paths.feature('one', 'shop'), { type: 'experiment', stale: true });
    await service.put(paths.feature('archived', 'shop'), { archived: true, stale: true });
    expect(await overview()).toMatchObject({
      featureTypeCounts: [
        { type: 'experiment', count: 1 },
        { type: 'release', count: 2 },
      ],
      health: 67,
      technicalDebt: 33,
      stats: { createdCurrentWindow: 4, createdPastWindow: 0, archivedCurrentWindow: 1 },
      onboardingStatus: { status: 'first-flag-created', feature: 'one' },
    });
  });

  test('counts each member once, also those of groups', async () => {
    for (const username of ['one', 'three']) {
      await newTokenOf(service, { username, inProject: { project: 'shop', role: 'Member' } });
    }
    expect((await overview()).members).toBe(3);
  });

  test('shows the default strategy of each environment', async () => {
    const defaultStrategy = { name: 'flexibleRollout', parameters: { rollout: '10' } };
    await service.post('/api/admin/projects/shop/environments/production/default-strategy', defaultStrategy);
    expect((await overview()).environments).toEqual([
      { environment: 'development', changeRequestsEnabled: false },
      { environment: 'production', changeRequestsEnabled: false, defaultStrategy },
    ]);
  });
});

specify('getProjectStatus', {
  route: 'GET /api/admin/projects/{projectId}/status',
  may: 'any token',
  request: async (world) => ({ params: await world.projectWithFeature() }),
});

test('The status of a project has the life cycle of its features, and its resources', async () => {
  const service = await freshService(shopSeed);
  await addFeatures(service, ['one', 'two', 'archived', 'completed'], { project: 'shop' });
  await service.put(paths.feature('one', 'shop'), { stale: true });
  await service.put(paths.feature('archived', 'shop'), { archived: true });
  const complete = `${paths.feature('completed', 'shop')}/lifecycle/complete`;
  expect((await service.post(complete, { status: 'kept' })).status).toBe(200);
  expect((await service.get('/api/admin/projects/shop/status')).body).toEqual({
    // Reads two days if midnight passes meanwhile.
    activityCountByDate: expect.arrayContaining([
      { date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), count: expect.any(Number) },
    ]),
    resources: { apiTokens: 0, members: 0, segments: 1 },
    health: { current: 67 },
    technicalDebt: { current: 33 },
    lifecycleSummary: {
      initial: { averageDays: 0, currentFlags: 2 },
      preLive: { averageDays: null, currentFlags: 0 },
      live: { averageDays: null, currentFlags: 0 },
      completed: { averageDays: 0, currentFlags: 1 },
      archived: { currentFlags: 1, last30Days: 1 },
    },
    staleFlags: { total: 1 },
  });
});
