import { expect, test } from 'vitest';
import { addFeaturesOn, shopSeed } from '../../harness/features.ts';
import { freshService } from '../../harness/service.ts';
import { World } from '../../harness/world.ts';
import { specify } from '../../specifications/specify.ts';

specify('getProjectEnvironments', {
  route: 'GET /api/admin/environments/project/{projectId}',
  may: 'any token',
  request: async (world) => {
    const projectId = await world.project();
    await world.ask('POST', `/api/admin/projects/${projectId}/environments/development/default-strategy`, {
      name: 'flexibleRollout',
    });
    return { params: { projectId } };
  },
});

test('All environments are listed in their order, with what the project has in them', async () => {
  const service = await freshService(shopSeed);
  const defaultStrategy = { name: 'flexibleRollout', parameters: { rollout: '10' } };
  const path = '/api/admin/projects/shop/environments/staging/default-strategy';
  expect((await service.post(path, defaultStrategy)).status).toBe(200);
  await addFeaturesOn(service, ['one', 'two'], { project: 'shop', environment: 'staging' });
  await addFeaturesOn(service, ['elsewhere']);
  const world = new World(service);
  await world.clientToken({ projects: ['shop', 'default'], environment: 'staging' });
  await world.frontendToken({ environment: 'staging' });
  await world.clientToken({ projects: ['default'], environment: 'staging' });
  const { body } = await service.get('/api/admin/environments/project/shop');
  const counts = { projectApiTokenCount: 0, projectEnabledToggleCount: 0 };
  const usual = { enabled: true, protected: false, requiredApprovals: null, ...counts };
  expect(body).toEqual({
    version: 1,
    environments: [
      { ...usual, name: 'default', type: 'production', sortOrder: 1, enabled: false, protected: true, visible: false },
      { ...usual, name: 'development', type: 'development', sortOrder: 2, visible: true },
      { ...usual, name: 'production', type: 'production', sortOrder: 3, visible: false },
      {
        ...usual,
        name: 'staging',
        type: 'preproduction',
        sortOrder: 4,
        visible: true,
        projectApiTokenCount: 2,
        projectEnabledToggleCount: 2,
        defaultStrategy,
      },
    ],
  });
});
