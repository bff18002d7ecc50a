import { describe, expect, test } from 'vitest';
import { readSeed } from '../../../lib/imports/seed/seed-data.ts';
import { addFeatures, newTokenOf, paths } from '../../harness/features.ts';
import { serviceForEach, specify } from '../../specifications/specify.ts';

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

  test('says what a fresh one is', async () => {
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

  test('counts its live features by type, and how many of them are stale', async () => {
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

  test('counts who has a role in it, by a group or not, once', async () => {
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
