import { setTimeout } from 'node:timers/promises';
import { expect } from 'vitest';
import { readSeed } from '../../../lib/imports/seed/seed-data.ts';
import { addFeatures, newTokenOf, paths, shopSeed } from '../../harness/features.ts';
import { freshService, type Reply, type Service } from '../../harness/service.ts';
import { specify, test } from '../../specifications/specify.ts';

specify('getProjects', {
  route: 'GET /api/admin/projects',
  may: 'any token',
  given: async (world) => world.feature({ project: await world.project() }),
  // Their ids are asked for first.
  waits: 2,
});

test('All projects are listed by name, with their owners and what is counted of them', async () => {
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

test('Groups and service accounts own a project and are members of it as users are', async ({ service, world }) => {
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

test('Who was deleted is no member of a project any more, by a group neither', async ({ service, world }) => {
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

test('A project was last updated when it or one of its features last changed', async () => {
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
    await setTimeout(2);
    expect(await change()).toSatisfy((reply?: Reply) => reply === undefined || reply.status < 300);
    times.push(await lastUpdate(service));
    expect(times.at(-1)).toBe(await newestEvent(service));
  }
  expect(times).toEqual([...new Set(times)].toSorted());
});

test('A feature that moves updates both projects, and one that nobody changes neither', async () => {
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

test('No project is archived, and archived is true or false', async ({ service }) => {
  expect((await service.get('/api/admin/projects?archived=true')).body).toEqual({ version: 1, projects: [] });
  expect((await service.get('/api/admin/projects?archived=false')).body.projects).toHaveLength(1);
  expect((await service.get('/api/admin/projects?archived=yes')).status).toBe(400);
});
