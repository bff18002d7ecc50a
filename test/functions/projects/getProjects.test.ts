import { expect, test } from 'vitest';
import { readSeed } from '../../../lib/seed/seed-data.ts';
import { addFeatures, paths, tokenOf } from '../../harness/features.ts';
import { freshService } from '../../harness/service.ts';
import { specify } from '../../specifications/specify.ts';

specify('getProjects', {
  route: 'GET /api/admin/projects',
  may: 'any token',
  request: async (world) => {
    await world.feature({ project: await world.project() });
    return {};
  },
  // Unleash answers it since its release 8.
  adds: ['onboardingStatus'],
  // Their ids are asked for first.
  waits: 2,
});

test('All projects are listed by name, with their owners and what is counted of them', async () => {
  const users = [{ username: 'one', name: 'Number One' }, { username: 'two' }];
  const groups = [{ name: 'team', users: ['one', 'two'], projects: ['shop'] }];
  const projects = [{ id: 'shop', name: 'A shop', description: 'It sells', defaultStickiness: 'userId' }];
  const service = await freshService(readSeed({ users, groups, projects }));
  await tokenOf(service, { username: 'one', inProject: { project: 'shop', role: 'Owner' } });
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

test('No project is archived, and archived is true or false', async () => {
  const service = await freshService();
  expect((await service.get('/api/admin/projects?archived=true')).body).toEqual({ version: 1, projects: [] });
  expect((await service.get('/api/admin/projects?archived=false')).body.projects).toHaveLength(1);
  expect((await service.get('/api/admin/projects?archived=yes')).status).toBe(400);
});
